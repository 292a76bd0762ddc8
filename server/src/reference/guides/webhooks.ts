import type { Operation } from '../../core/operation.ts'
import { hours, minutes, seconds } from '../../lib/time/clock.ts'
import { retryDelays } from '../../webhooks/delivery/schedule.ts'
import { code, heading, list, type Page, table, text } from '../blocks.ts'
import { sdkPackage } from '../packages.ts'
import { callSamples } from '../samples/operation.ts'
import type { Site } from '../site.ts'

const schedule = ['at once', ...retryDelays.map(inWords)]

/** The duration in the largest unit with a whole number, such as `30 seconds` or `2 hours`. */
function inWords(ms: number): string {
  if (ms % hours(1) === 0) return `${ms / hours(1)} hours`
  return ms % minutes(1) === 0 ? `${ms / minutes(1)} minutes` : `${ms / seconds(1)} seconds`
}

const subscription = { url: 'https://example.com/hooks/crier', events: ['form.submitted'] }

export function webhooksGuide(catalog: readonly Operation[], site: Site): Page {
  const { slug } = site
  const own = catalog.filter(({ name }) => name.startsWith('webhook.'))
  return {
    path: 'guides/webhooks',
    title: 'Webhooks',
    about:
      'Events, delivered to an address of yours as they happen, signed, and tried again until they are taken.',
    keywords: 'hmac signature verify node header name retries local testing',
    blocks: [
      heading('Subscribe'),
      text(
        'A subscription belongs to one business and names the [events](events/all) it wants; the connection must hold the scopes of their data. The signing secret is shown once, in this answer.',
      ),
      ...callSamples(
        {
          name: 'webhook.save',
          input: subscription,
          request: { method: 'POST', path: '/v1/webhooks', body: subscription },
          cli: `webhook save --url ${subscription.url} --events form.submitted`,
        },
        site,
      ),
      table(
        ['operation', 'does'],
        own.map(({ name, title }) => [`[${name}](operations/${name})`, title]),
      ),
      heading('A delivery'),
      text('A POST with the event as JSON, and four headers:'),
      table(
        ['header', 'holds'],
        [
          [`\`x-${slug}-event\``, 'The event type.'],
          [`\`x-${slug}-delivery\``, 'This attempt, `dlv_…`: another one each time.'],
          [`\`x-${slug}-timestamp\``, 'When it was sent, Unix time in seconds.'],
          [
            `\`x-${slug}-signature\``,
            '`t=<timestamp>,v1=<hex>`; two `v1` during an overlap that a rotation asked for.',
          ],
        ],
      ),
      heading('Check the signature'),
      text(
        'The hex is the lower-case HMAC-SHA-256 of `<timestamp>.<raw body>`, keyed with the whole secret as it was shown, `whsec_` included: nothing is decoded. Take the body as it came, before anything parses it; compare in constant time; refuse what is more than 300 seconds old or ahead.',
      ),
      code(
        'typescript',
        `import { CrierError, verifyWebhook } from '${sdkPackage}/node'

export async function receive(request: Request): Promise<Response> {
  try {
    const event = verifyWebhook({
      body: await request.text(),
      headers: request.headers,
      secret: process.env['WEBHOOK_SECRET'],
    })
    console.log(event.id, event.type)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof CrierError)) throw error
    return Response.json(error, { status: 400 })
  }
}`,
      ),
      code(
        'python',
        `import hashlib, hmac, time

def is_genuine(body, signature, secret):
    """Of a body as bytes, and the header x-${slug}-signature."""
    parts = [part.split("=", 1) for part in signature.split(",") if "=" in part]
    timestamp = dict(parts).get("t", "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    # There are two v1 while the secret is rotated.
    found = [value.encode() for key, value in parts if key == "v1"]
    return any(hmac.compare_digest(expected.encode(), value) for value in found)`,
      ),
      code(
        'php',
        `<?php
// Of a body as it came, and the header x-${slug}-signature.
$isGenuine = function ($body, $signature, $secret) {
    if (!preg_match('/^t=(\\d+)/', $signature, $timestamp)) {
        return false;
    }
    if (abs(time() - (int) $timestamp[1]) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', $timestamp[1] . '.' . $body, $secret);
    // There are two v1 while the secret is rotated.
    preg_match_all('/v1=([0-9a-f]+)/', $signature, $found);
    foreach ($found[1] as $value) {
        if (hash_equals($expected, $value)) {
            return true;
        }
    }
    return false;
};`,
      ),
      text('By hand, with the header’s timestamp and the body in a file:'),
      code(
        'sh',
        `(printf '%s.' "$TIMESTAMP"; cat body.json) | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET"`,
      ),
      heading('Answer'),
      list(
        'Any 2xx within 5 seconds takes the event. Put it into a queue of your own and answer; the body of your answer is not read.',
        'Anything else fails the attempt: another status, a redirect (never followed), a timeout, a broken connection.',
        'The same event may come more than once, and events may overtake each other: act once for each `id`.',
      ),
      heading('When it fails'),
      table(
        ['attempt', 'after the one before ended'],
        schedule.map((delay, i) => [String(i + 1), delay]),
      ),
      text(
        'After the last attempt the event is kept in the dead-letter queue, and can be sent again: the same event, the same bytes, a new delivery with a fresh timestamp and signature.',
      ),
      heading('While you build'),
      text(
        'Without a public address, have events forwarded to your machine, and make some happen:',
      ),
      code('sh', `crier webhooks listen --forward-to http://localhost:3000/hooks`),
      code('sh', 'crier trigger form.submitted'),
    ],
  }
}
