# Reads deliveries from standard input and writes whether the snippet finds each genuine.
require "json"

load ARGV[0]

verdicts = JSON.parse($stdin.read).map do |kase|
  Time.define_singleton_method(:now) { Time.at(kase["now"]) }
  # As text and as bytes: servers differ.
  [Encoding::UTF_8, Encoding::BINARY].map do |encoding|
    env = kase["headers"].to_h do |name, value|
      ["HTTP_#{name.upcase.tr("-", "_")}", value.unpack1("m").force_encoding(encoding)]
    end
    genuine?(kase["secret"], env, kase["body"].unpack1("m").force_encoding(encoding))
  end
end
verdicts.each { |one, other| raise "Text and bytes differ" if one != other }
puts verdicts.map(&:first).to_json
