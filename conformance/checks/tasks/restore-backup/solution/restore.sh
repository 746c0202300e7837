set -e
set -a
. ./keys.env
set +a
# Servers before Postgres 17 do not know this setting.
sed 's/^SET transaction_timeout = 0;//' backup.sql | psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --single-transaction "$DATABASE_URL"
psql --no-psqlrc --quiet "$DATABASE_URL" \
  -c "SELECT setval('designwire.feed_positions', last_value + 10000000) FROM designwire.feed_positions"
npx designwire migrate
npx designwire doctor
