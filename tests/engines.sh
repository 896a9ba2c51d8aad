# Prints which engines can be driven, and installs what they take where apt may: sh tests/engines.sh
# What cannot be had is said here, and its tests are skipped with the reason.
have() { command -v "$1" >/dev/null; }

install() {
  [ "$(id -u)" = 0 ] && have apt-get || return 1
  [ -n "$updated" ] || apt-get update -qq >&2
  updated=yes
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

have firefox-esr || have firefox || install firefox-esr
have WebKitWebDriver && have Xvfb || install webkit2gtk-driver xvfb
have chromedriver || install chromium-driver

for part in firefox-esr WebKitWebDriver Xvfb chromedriver; do
  command -v "$part" || echo "No $part is here, and none could be installed" >&2
done
exit 0
