#!/usr/bin/ruby
# A receiver of webhooks, written from the contract's section "Events" alone.
#
# Needs nothing beyond Debian's ruby. WEBHOOK_SECRET is the signing secret; the file
# that WORLD names holds the time and the answer, so that a test can have its own:
# {"now": <unix seconds>, "status": <answer to a good delivery>}. It prints its port,
# then one line of JSON for each request: what it found, or what is wrong.
require 'json'
require 'openssl'
require 'socket'
require 'time'

SECRET = ENV.fetch('WEBHOOK_SECRET')
TOLERANCE = 300
$stdout.sync = true

# The delivery is not what the contract says; the message is one word.
class Refused < StandardError; end

def need(holds, word)
  raise Refused, word unless holds
end

# The event of a delivery, or Refused.
def checked(headers, body, now)
  need headers['content-type'] == 'application/json', 'content-type'
  delivery = headers['x-svc-delivery'].to_s
  timestamp = headers['x-svc-timestamp'].to_s
  need delivery.match?(/\Adlv_\w+\z/), 'delivery'
  need timestamp.match?(/\A\d+\z/), 'timestamp'

  time, *parts = headers['x-svc-signature'].to_s.split(',').map { |part| part.split('=', 2) }
  need time == ['t', timestamp], 'signature-header'
  given = parts.filter_map { |scheme, hex| hex if scheme == 'v1' }
  expected = OpenSSL::HMAC.hexdigest('SHA256', SECRET, "#{timestamp}.".b + body)
  # Every one is compared, whichever matches.
  matched = given.map { |hex| hex.bytesize == 64 && OpenSSL.fixed_length_secure_compare(hex, expected) }
  need matched.any?, 'signature'
  need (now - timestamp.to_i).abs <= TOLERANCE, 'stale'

  event = JSON.parse(body)
  need event.keys.sort == %w[business_id created_at data id type], 'keys'
  need event['id'].match?(/\Aevt_\w+\z/), 'id'
  need event['business_id'].match?(/\Abus_\w+\z/), 'business_id'
  need event['type'] == headers['x-svc-event'], 'event'
  need event['data'].is_a?(Hash), 'data'
  need Time.iso8601(event['created_at']).utc?, 'created_at'
  { id: event['id'], delivery: delivery, signatures: given.size }
end

def serve(socket)
  socket.gets
  headers = {}
  while (line = socket.gets.chomp) != ''
    name, value = line.split(':', 2)
    headers[name.downcase] = value.strip
  end
  body = socket.read(headers['content-length'].to_i)
  world = JSON.parse(File.read(ENV.fetch('WORLD')))
  begin
    verdict = checked(headers, body, world['now'])
    status = world['status']
  rescue Refused => refused
    verdict = { refused: refused.message }
    status = 400
  end
  puts JSON.generate(verdict)
  socket.write "HTTP/1.1 #{status} Said\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
ensure
  socket.close
end

server = TCPServer.new('127.0.0.1', 0)
puts server.addr[1]
loop { Thread.new(server.accept) { |socket| serve(socket) } }
