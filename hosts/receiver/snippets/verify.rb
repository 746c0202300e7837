require "openssl"

# Whether this secret signed the raw body in the last five minutes.
def genuine?(secret, env, body)
  timestamp = env["HTTP_X_SERVICE_TIMESTAMP"].to_s.b
  signature = env["HTTP_X_SERVICE_SIGNATURE"].to_s.b
  return false if secret.empty? || !timestamp.match?(/\A[0-9]{1,15}\z/)
  return false if (Time.now.to_i - timestamp.to_i).abs > 300

  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{timestamp}.#{body}")
  OpenSSL.secure_compare(expected, signature)
end
