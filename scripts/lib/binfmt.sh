# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by scripts that run programs for arm64: let_the_kernel_run_arm64 [FILE] makes the kernel run them by qemu, that
# of the package qemu-user-static or FILE, until forget_arm64. What was there before stays. Root only.
# By the first bytes of their files.
arm64_programs=':qemu-aarch64:M::\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
arm64_programs+=':\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
binfmt=/proc/sys/fs/binfmt_misc
binfmt_was_mounted=yes binfmt_was_registered=yes

let_the_kernel_run_arm64() {
    if [ ! -e $binfmt/register ]; then
        mount -t binfmt_misc binfmt_misc $binfmt
        binfmt_was_mounted=""
    fi
    if [ ! -e $binfmt/qemu-aarch64 ]; then
        if [ -n "${1:-}" ]; then
            printf '%s:%s:F\n' "$arm64_programs" "$(realpath "$1")" >$binfmt/register
        else
            cat /usr/lib/binfmt.d/qemu-aarch64.conf >$binfmt/register
        fi
        binfmt_was_registered=""
    fi
}

forget_arm64() {
    [ -n "$binfmt_was_registered" ] || echo -1 >$binfmt/qemu-aarch64
    [ -n "$binfmt_was_mounted" ] || umount $binfmt
}
