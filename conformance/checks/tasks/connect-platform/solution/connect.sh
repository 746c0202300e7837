set -e
curl --fail-with-body -X PUT -H "Authorization: Bearer $DESIGNWIRE_MANAGE_KEY" -H "content-type: application/json" \
  -d "{\"domain\":\"$SITE\",\"secret\":\"$WEBHOOK_SECRET\",\"accessKey\":\"$ACCESS_KEY\"}" \
  "$SERVICE/manage/v1/shops/acme/platforms/woocommerce"
npx designwire platform connect woocommerce --shop acme
npx designwire reconcile woocommerce acme --since "$(node -p 'new Date(Date.now() - 3 * 86400000).toISOString()')"
