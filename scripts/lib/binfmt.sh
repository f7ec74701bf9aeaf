# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by scripts that run programs for arm64: let_the_kernel_run_arm64 makes the kernel run them by qemu
# (package qemu-user-static) until forget_arm64. What was there before stays. Root only.
binfmt=/proc/sys/fs/binfmt_misc
binfmt_was_mounted=yes binfmt_was_registered=yes

let_the_kernel_run_arm64() {
    if [ ! -e $binfmt/register ]; then
        mount -t binfmt_misc binfmt_misc $binfmt
        binfmt_was_mounted=""
    fi
    if [ ! -e $binfmt/qemu-aarch64 ]; then
        cat /usr/lib/binfmt.d/qemu-aarch64.conf >$binfmt/register
        binfmt_was_registered=""
    fi
}

forget_arm64() {
    [ -n "$binfmt_was_registered" ] || echo -1 >$binfmt/qemu-aarch64
    [ -n "$binfmt_was_mounted" ] || umount $binfmt
}
