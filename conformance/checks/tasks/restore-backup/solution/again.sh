set -a
. ./keys.env
exec node -e '
for (const { id, ...order } of JSON.parse(fs.readFileSync("orders.json", "utf8"))) {
  const answer = await fetch(`${process.env.SERVICE}/manage/v1/shops/acme/orders/${id}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${process.env.DESIGNWIRE_MANAGE_KEY}` },
    body: JSON.stringify(order),
  })
  if (!answer.ok) throw new Error(`${id}: ${answer.status} ${await answer.text()}`)
}' --input-type=module
