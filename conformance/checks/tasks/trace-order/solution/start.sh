OTEL_EXPORTER_OTLP_ENDPOINT="$COLLECTOR" exec node_modules/.bin/designwire serve
