# Prints where a Chromium is, and installs one where there is none: sh tests/chromium.sh PLAYWRIGHT
find_chromium() {
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" && return
  done
  return 1
}

find_chromium && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq >&2 && apt-get install -y -qq chromium >&2 && find_chromium && exit
fi
"$1" install chromium >&2 && echo playwright && exit
echo "No Chromium is here, and none could be installed: install chromium, then run make test again" >&2
exit 1
