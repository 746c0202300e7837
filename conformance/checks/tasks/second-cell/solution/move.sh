set -e
export PATH="node_modules/.bin:$PATH"
printf 'first %s\nsecond %s\n' "$FIRST" "$SECOND" > cells
DATABASE_URL="$SECOND" designwire migrate
designwire shop move acme --from "$FIRST" --to "$SECOND"
designwire cells map --format nginx --write shops.map < cells
