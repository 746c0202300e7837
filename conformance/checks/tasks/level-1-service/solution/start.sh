# The package has a service in Python; this one serves our data with its code for reading.
cp node_modules/designwire/conformance/examples/python/service.py service.py
exec python3 serve.py "$PORT"
