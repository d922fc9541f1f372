#!/usr/bin/env bash
# Builds the broker image of the container tests where no ready-made one can be pulled: a minimal Debian with a JRE,
# bootstrapped from the mirror this machine's own package sources name, and the unpacked server distribution on top.
#
#   build-image.sh DISTRIBUTION_DIR IMAGE:TAG
#
# DISTRIBUTION_DIR is an unpacked apache-pulsar-<version>. Does nothing if the image is there already.
set -euo pipefail

distribution=${1:?usage: build-image.sh DISTRIBUTION_DIR IMAGE:TAG}
image=${2:?usage: build-image.sh DISTRIBUTION_DIR IMAGE:TAG}
base=delayedtracker/debian-jre17:bookworm

if docker image inspect "$image" >/dev/null 2>&1; then
    exit 0
fi
[ -x "$distribution/bin/pulsar" ] || { echo "no bin/pulsar in $distribution" >&2; exit 1; }

# The first http(s) mirror of the one-line and deb822 source lists, security archives left out.
mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
        grep -Ev '^[[:space:]]*#' | grep -Eo 'https?://[^][:space:]]+' | grep -v security | head -n 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! docker image inspect "$base" >/dev/null 2>&1; then
    debootstrap --variant=minbase --include=openjdk-17-jre-headless,procps bookworm "$work/root" "$(mirror)" >"$work/log" 2>&1 ||
        { tail -n 20 "$work/log" >&2; exit 1; }
    rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
    tar -C "$work/root" -c . | docker import - "$base" >/dev/null
    rm -rf "$work/root"
fi

# Without its connectors and offloaders the context is small; the broker needs neither. The plugin, which other tests put into the
# same distribution, is left out: each container gets the one that is tested.
mkdir "$work/context"
tar -C "$distribution" --exclude=./instances --exclude=./offloaders --exclude=./connectors \
    --exclude='./lib/pulsar-delayed-tracker-*.jar' -c . |
    { mkdir "$work/context/pulsar" && tar -C "$work/context/pulsar" -x; }
cat >"$work/context/Dockerfile" <<EOF
FROM $base
COPY pulsar /pulsar
WORKDIR /pulsar
EOF
DOCKER_BUILDKIT=0 docker build -q -t "$image" "$work/context" >/dev/null
