set -a
. ./keys.env
set +a
exec node_modules/.bin/designwire serve
