set -e
export PATH="node_modules/.bin:$PATH"
PORT=${PORT:-8765}
sed -i.bak 's|(2 \* total + step - 1) //|(2 * total + step) //|' service.py
designwire key --signing > signing.pem 2> public
sed 's/.*: //' public | tr -d '\n' > key.txt
designwire conformance --url "http://127.0.0.1:$PORT/api/v1" --driver "python3 service.py $PORT" \
  --profile evaluation --service Atelier@2.1.0 --report report.json --signing-key signing.pem
