# Print the path of a Chromium, after installing one if necessary: sh tests/chromium.sh PLAYWRIGHT
find_chromium() {
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" && return
  done
  return 1
}

find_chromium && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq >&2 && apt-get install -y -qq chromium fonts-liberation fonts-dejavu-core >&2 && find_chromium && exit
fi
"$1" install chromium >&2 && echo playwright && exit
echo "Chromium is missing and could not be installed; install chromium, then run make test again" >&2
exit 1
