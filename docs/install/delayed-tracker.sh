#!/bin/sh
# Installs the delayed delivery tracker into an unpacked Pulsar, or takes it out again. Nothing is restarted.
#
#   delayed-tracker.sh install PULSAR_FOLDER JAR [BACKEND]    BACKEND: timebucket, heap or bucket
#   delayed-tracker.sh undo PULSAR_FOLDER
#   DRY_RUN=1 before either prints what would change and changes nothing.
#
# The jar goes to lib/, a block of lines to the end of conf/broker.conf and conf/standalone.conf: of two lines with one key the broker
# takes the last. Done again the block stays where it is, with its backend if none is given (the first time: timebucket). Done twice it
# is as done once. Undo leaves the files as they were before, byte for byte.
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

# Fails unless a file has no block or a whole one with the lines of this script alone.
check_block() {
    state=$(awk -v begin="$begin" -v added="$begin$added_newline" -v end="$end" '
        { sub(/\r$/, "") }
        $0 == begin || $0 == added { broken += inside; inside = 1; next }
        $0 == end { broken += !inside; inside = 0; next }
        inside && !/^delayedDelivery(TrackerFactoryClassName|IndexBackend)=/ { own = 1 }
        END { print broken + inside ? "broken" : own ? "own" : "sound" }' "$1")
    case "$state" in
        broken) fail "$1 has a line '$begin' without '$end' behind it, or the other way round; mend it by hand" ;;
        own) fail "$1 has lines of its own between '$begin' and '$end'; move them behind the block" ;;
    esac
}

has_block() {
    awk -v begin="$begin" -v added="$begin$added_newline" '
        { sub(/\r$/, "") }
        $0 == begin || $0 == added { found = 1 }
        END { exit !found }' "$1"
}

ends_with_newline() {
    [ -z "$(tail -c 1 "$1")" ]
}

# The backend that a file's block has, or the default.
backend_of() {
    has_block "$1" || { echo timebucket; return; }
    awk -v begin="$begin" -v added="$begin$added_newline" -v end="$end" '
        { sub(/\r$/, "") }
        $0 == begin || $0 == added { inside = 1 }
        $0 == end { inside = 0 }
        inside && sub(/^delayedDeliveryIndexBackend=/, "") { backend = $0 }
        END { print backend == "" ? "timebucket" : backend }' "$1"
}

# With an escaped newline, as awk takes them.
lines_of_block() {
    printf 'delayedDeliveryTrackerFactoryClassName=%s\\ndelayedDeliveryIndexBackend=%s' "$factory" "$1"
}

# Prints a file with other lines in its block; with none without the block, as the file was before. What follows the block stays.
with_other_block() {
    ends_with_newline "$1" && newline=1 || newline=
    # The last line before a block at the very end gets back the end that it had: none, where the block says so.
    awk -v begin="$begin" -v added="$begin$added_newline" -v end="$end" -v lines="$2" -v newline="$newline" '
        function put(text) { if (some) printf "\n"; printf "%s", text; some = 1 }
        { line = $0; sub(/\r$/, "", line) }
        line == begin || line == added { inside = 1; bare = line == added; if (lines != "") { put(line); put(lines) } }
        !inside { put($0); behind = 1 }
        line == begin || line == added { behind = 0 }
        line == end { if (lines != "") put(line); inside = 0 }
        END { if (some && (lines != "" || behind ? newline : !bare)) printf "\n" }' "$1"
}

without_block() {
    check_block "$1"
    if has_block "$1"; then
        with_other_block "$1" ""
    else
        cat "$1"
    fi
}

# Prints a file with the block of a backend: in the place of the one that it has, or at its end.
with_block() {
    check_block "$1"
    if has_block "$1"; then
        with_other_block "$1" "$(lines_of_block "$2")"
        return
    fi
    cat "$1"
    if ends_with_newline "$1"; then
        printf '%s\n' "$begin"
    else
        printf '\n%s%s\n' "$begin" "$added_newline"
    fi
    printf '%b\n%s\n' "$(lines_of_block "$2")" "$end"
}

# Without the jar a broker that is to take its factory does not start.
check_not_named() {
    for file in broker.conf standalone.conf; do
        named=$(grep -n '^[[:space:]]*delayedDeliveryTrackerFactoryClassName[[:space:]]*[=:[:space:]][[:space:]]*io\.github\.delayedtracker\.' \
            "$work/$file" | head -n 1) || true
        [ -z "$named" ] ||
            fail "$pulsar/conf/$file names the factory outside of the block of this script, take that line out first: $named"
    done
}

# Makes the new contents of a file beside it, with its owner and mode.
prepare() {
    if [ -z "${DRY_RUN:-}" ]; then
        cp -p "$(readlink -f "$2")" "$3"
        cat "$1" >"$3"
    fi
}

# Puts them in its place, in one step.
replace() {
    if cmp -s "$1" "$2"; then
        echo "unchanged: $2"
    elif [ -n "${DRY_RUN:-}" ]; then
        echo "would change $2:"
        diff -u "$2" "$1" | tail -n +3 || true
    else
        mv "$3" "$(readlink -f "$2")"
        echo "changed: $2"
    fi
}

beside() {
    [ -n "${DRY_RUN:-}" ] || mktemp "$(readlink -f "$pulsar/conf/$1").XXXXXX"
}

# Both files are made before anything is replaced, so that one that cannot be made leaves all alone.
prepare_all() {
    new_broker=$(beside broker.conf)
    new_standalone=$(beside standalone.conf)
    prepare "$work/broker.conf" "$pulsar/conf/broker.conf" "$new_broker"
    prepare "$work/standalone.conf" "$pulsar/conf/standalone.conf" "$new_standalone"
}

replace_all() {
    replace "$work/broker.conf" "$pulsar/conf/broker.conf" "$new_broker"
    replace "$work/standalone.conf" "$pulsar/conf/standalone.conf" "$new_standalone"
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
new_broker=
new_standalone=
new_jar=
trap 'rm -rf "$work" ${new_broker:+"$new_broker"} ${new_standalone:+"$new_standalone"} ${new_jar:+"$new_jar"}' EXIT
trap 'exit 1' HUP INT PIPE TERM

case "$action" in
    install)
        { [ $# -eq 3 ] || [ $# -eq 4 ]; } || usage
        jar=$3
        case "$(basename "$jar")" in
            pulsar-delayed-tracker-*.jar) ;;
            *) fail "the jar is named pulsar-delayed-tracker-VERSION.jar, not $(basename "$jar")" ;;
        esac
        [ -f "$jar" ] || fail "there is no file $jar"
        case "${4:-timebucket}" in
            timebucket | heap | bucket) ;;
            *) fail "the backend is timebucket, heap or bucket, not $4" ;;
        esac
        for file in broker.conf standalone.conf; do
            with_block "$pulsar/conf/$file" "${4:-$(backend_of "$pulsar/conf/$file")}" >"$work/$file"
        done
        prepare_all
        echo "backend: $(backend_of "$work/broker.conf") for a broker, $(backend_of "$work/standalone.conf") for a standalone"
        if cmp -s "$jar" "$pulsar/lib/$(basename "$jar")"; then
            echo "unchanged: $pulsar/lib/$(basename "$jar")"
        elif [ -n "${DRY_RUN:-}" ]; then
            echo "would copy $jar to $pulsar/lib"
        else
            # In one step: a broker that runs keeps the jar that it has opened.
            new_jar=$(mktemp "$pulsar/lib/.pulsar-delayed-tracker.XXXXXX")
            cp "$jar" "$new_jar"
            chmod a+r "$new_jar"
            mv "$new_jar" "$pulsar/lib/$(basename "$jar")"
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
        check_not_named
        prepare_all
        replace_all
        remove_jars
        ;;
    *)
        usage
        ;;
esac
[ -n "${DRY_RUN:-}" ] || echo "restart the broker to have it take effect"
