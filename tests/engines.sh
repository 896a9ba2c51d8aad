# Print the engines and drivers, after installing missing ones with apt: sh tests/engines.sh
# Tests of an engine that cannot be installed are skipped.
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
  command -v "$part" || echo "$part is missing and could not be installed" >&2
done
exit 0
