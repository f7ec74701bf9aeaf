# SPDX-License-Identifier: GPL-3.0-or-later
# castled on NixOS, from its tarball. In configuration.nix:
#
#   imports = [ ./castled.nix ];
#   services.castled = {
#     enable = true;
#     tarball = ./castled-0.1.0-linux-x86_64.tar.gz;
#     tokenFile = "/etc/castled/token";
#     settings.games.concurrency = 2;
#   };
{ config, lib, pkgs, ... }:
let
  cfg = config.services.castled;
  castled = pkgs.runCommand "castled" { } ''
    mkdir $out
    tar xzf ${cfg.tarball} --strip-components=1
    cp -r bin share $out
    mkdir -p $out/lib/systemd/system
    sed "s|/usr/local/bin|$out/bin|g; s|/etc/castled/token|${cfg.tokenFile}|" systemd/system/castled.service \
      > $out/lib/systemd/system/castled.service
  '';
in
{
  options.services.castled = {
    enable = lib.mkEnableOption "castled, a chess bot on lichess.org";
    tarball = lib.mkOption {
      type = lib.types.path;
      description = "The tarball of castled for this machine.";
    };
    tokenFile = lib.mkOption {
      type = lib.types.str;
      default = "/etc/castled/token";
      description = "The file with the token; it stays out of the store.";
    };
    settings = lib.mkOption {
      type = lib.types.attrsOf (lib.types.attrsOf (lib.types.oneOf [ lib.types.str lib.types.int ]));
      default = { };
      description = "Sections and keys of castled.conf(5).";
    };
  };
  config = lib.mkIf cfg.enable {
    environment.systemPackages = [ castled ];
    environment.etc."castled/castled.conf".text = lib.generators.toINI { } cfg.settings;
    systemd.packages = [ castled ];
    systemd.services.castled.wantedBy = [ "multi-user.target" ];
  };
}
