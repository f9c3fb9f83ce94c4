#!/bin/sh
# Installs the programs of system_packages.txt that are missing, where that is permitted (root on
# a machine with apt-get), and otherwise prints what to install. Never fails: a test that cannot do
# without a program is skipped. ROCWISE_SYSTEM_PACKAGES=no leaves the machine as it is.
set -eu

found() {
    for command in $1; do
        command -v "$command" >/dev/null 2>&1 && return 0
    done
    return 1
}

permitted() {
    [ "${ROCWISE_SYSTEM_PACKAGES:-yes}" != no ] && [ "$(id -u)" = 0 ] && found apt-get
}

install() {
    # Package lists are absent on fresh machines and stale on old ones: a second try fetches them.
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 ||
        { apt-get update -qq >/dev/null 2>&1 &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1; }
}

grep -v '^ *\(#\|$\)' "$(dirname "$0")/system_packages.txt" |
    while IFS='|' read -r name commands packages need purpose; do
        name=$(echo $name) packages=$(echo $packages) need=$(echo $need) purpose=$(echo $purpose)
        if found "$commands"; then
            continue
        elif [ "$need" != "by hand" ] && permitted && install $packages </dev/null; then
            echo "$name: installed ($packages)"
        else
            echo "$name ($need) is missing: $purpose. On Debian or Ubuntu: apt-get install $packages"
        fi
    done
