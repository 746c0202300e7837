mkdir -p tmp
sed -e "s/__PORT__/$PORT/" -e "s/__PHP__/$((PORT + 1))/" nginx.conf > tmp/nginx.conf
php -d post_max_size=34M -d memory_limit=512M -S "127.0.0.1:$((PORT + 1))" hooks.php &
trap 'kill $!' TERM INT
nginx -p "$PWD/tmp/" -e error.log -c nginx.conf -g "daemon off; user $(id -un);"
