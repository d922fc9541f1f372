#!/bin/sh
# Installs the delayed delivery tracker into an unpacked Pulsar, or takes it out again. Nothing is restarted.
#
#   delayed-tracker.sh install PULSAR_FOLDER JAR [BACKEND]    BACKEND: timebucket (default), heap or bucket
#   delayed-tracker.sh undo PULSAR_FOLDER
#   DRY_RUN=1 before either prints what would change and changes nothing.
#
# The jar goes to lib/, a block of lines to the end of conf/broker.conf and conf/standalone.conf: of two lines with one key the broker
# takes the last. Done twice it is as done once. Undo leaves the files as they were before, byte for byte.
set -eu

begin='# delayed-tracker: begin'
end='# delayed-tracker: end'
factory=io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory
added_newline=' (the line before had no end)'

fail() {
    echo "delayed-tracker.sh: $*" >&2
    exit 1
}

usage() {
    fail "usage: delayed-tracker.sh install PULSAR_FOLDER JAR [timebucket|heap|bucket] | undo PULSAR_FOLDER"
}

# Prints a file without the block, as it was before. What follows the block stays.
without_block() {
    if ! grep -qxF -e "$begin" -e "$begin$added_newline" "$1"; then
        cat "$1"
        return
    fi
    # The last line before a block at the very end gets back the end that it had: none, where the block says so.
    awk -v begin="$begin" -v added="$begin$added_newline" -v end="$end" '
        $0 == begin || $0 == added { if (inside) exit 1; inside = 1; bare = $0 == added; next }
        inside { if ($0 == end) inside = 0; next }
        { if (some) printf "\n"; printf "%s", $0; some = 1; bare = 0 }
        END { if (inside) exit 1; if (some && !bare) printf "\n" }' "$1" >"$work/without" ||
        fail "$1 has the line '$begin' and behind it no line '$end'; mend it by hand"
    cat "$work/without"
}

# Prints a file with the block at its end.
with_block() {
    without_block "$1" >"$work/plain"
    cat "$work/plain"
    if [ -s "$work/plain" ] && [ -n "$(tail -c 1 "$work/plain")" ]; then
        printf '\n%s%s\n' "$begin" "$added_newline"
    else
        printf '%s\n' "$begin"
    fi
    printf 'delayedDeliveryTrackerFactoryClassName=%s\ndelayedDeliveryIndexBackend=%s\n%s\n' "$factory" "$backend" "$end"
}

# Puts new contents in the place of a file, with its owner and mode, in one step.
replace() {
    if cmp -s "$1" "$2"; then
        echo "unchanged: $2"
    elif [ -n "${DRY_RUN:-}" ]; then
        echo "would change $2:"
        diff -u "$2" "$1" | tail -n +3 || true
    else
        target=$(readlink -f "$2")
        unfinished="$target.new"
        cp -p "$target" "$unfinished"
        cat "$1" >"$unfinished"
        mv "$unfinished" "$target"
        echo "changed: $2"
    fi
}

# Both files are made before either is replaced, so that one that cannot be made leaves both alone.
replace_all() {
    for file in broker.conf standalone.conf; do
        replace "$work/$file" "$pulsar/conf/$file"
    done
}

# Removes the jars of all versions, but for the one of a name.
remove_jars() {
    for old in "$pulsar"/lib/pulsar-delayed-tracker-*.jar; do
        [ -e "$old" ] || continue
        [ "$(basename "$old")" != "${1:-}" ] || continue
        if [ -n "${DRY_RUN:-}" ]; then
            echo "would remove $old"
        else
            rm "$old"
            echo "removed: $old"
        fi
    done
}

[ $# -ge 2 ] || usage
action=$1
pulsar=$2
for needed in lib conf/broker.conf conf/standalone.conf; do
    [ -e "$pulsar/$needed" ] || fail "$pulsar is no Pulsar folder: it has no $needed"
done
work=$(mktemp -d)
unfinished=
trap 'rm -rf "$work" ${unfinished:+"$unfinished"}' EXIT

case "$action" in
    install)
        { [ $# -eq 3 ] || [ $# -eq 4 ]; } || usage
        jar=$3
        backend=${4:-timebucket}
        case "$(basename "$jar")" in
            pulsar-delayed-tracker-*.jar) ;;
            *) fail "the jar is named pulsar-delayed-tracker-VERSION.jar, not $(basename "$jar")" ;;
        esac
        [ -f "$jar" ] || fail "there is no file $jar"
        case "$backend" in
            timebucket | heap | bucket) ;;
            *) fail "the backend is timebucket, heap or bucket, not $backend" ;;
        esac
        for file in broker.conf standalone.conf; do
            with_block "$pulsar/conf/$file" >"$work/$file"
        done
        if cmp -s "$jar" "$pulsar/lib/$(basename "$jar")"; then
            echo "unchanged: $pulsar/lib/$(basename "$jar")"
        elif [ -n "${DRY_RUN:-}" ]; then
            echo "would copy $jar to $pulsar/lib"
        else
            # In one step: a broker that runs keeps the jar that it has opened.
            unfinished="$pulsar/lib/.pulsar-delayed-tracker.new"
            cp "$jar" "$unfinished"
            chmod a+r "$unfinished"
            mv "$unfinished" "$pulsar/lib/$(basename "$jar")"
            echo "copied: $pulsar/lib/$(basename "$jar")"
        fi
        remove_jars "$(basename "$jar")"
        replace_all
        ;;
    undo)
        [ $# -eq 2 ] || usage
        for file in broker.conf standalone.conf; do
            without_block "$pulsar/conf/$file" >"$work/$file"
        done
        replace_all
        remove_jars
        ;;
    *)
        usage
        ;;
esac
[ -n "${DRY_RUN:-}" ] || echo "restart the broker to have it take effect"
