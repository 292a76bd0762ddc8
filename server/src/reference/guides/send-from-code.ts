import { code, heading, list, type Page, steps, text } from '../blocks.ts'
import { sdkPackage } from '../packages.ts'
import { callSamples } from '../samples/operation.ts'
import type { Site } from '../site.ts'

const subscription = {
  url: 'https://example.com/hooks',
  events: ['message.sent', 'message.delivered', 'message.bounced'],
}

const receipt = {
  to: 'ana@example.com',
  subject: 'Your order {{ order }}',
  text: 'Hello {{ name }}, your order is on its way.',
  variables: { order: '1017', name: 'Ana' },
  tags: ['receipt'],
  metadata: { order_id: '1017' },
  idempotency_key: 'order-1017',
}

export function sendFromCodeGuide(site: Site): Page {
  const { appUrl, slug } = site
  return {
    path: 'guides/send-from-your-code',
    title: 'Send from your code',
    about:
      'A web shop, a cron job or a script sends with an API key: made in the app, sent with every call, and heard of by a webhook.',
    keywords: 'api key scopes transactional email attachments receipts',
    blocks: [
      heading('Make a key'),
      text(
        `Open \`${appUrl}/b\`. Under “Settings”, follow “API keys”, press “New key”, name the program that will use it, tick “Send email and text messages to real people” and “Set up domains and webhooks”, and make it. The key is shown once: keep it where your program keeps its secrets, and never in a page, an app or a repository.`,
      ),
      code('sh', 'export CRIER_API_KEY=crk_…'),
      heading('Hear what happens'),
      text(
        'Have the events of messages sent to an address of yours. The answer shows the secret that signs them, once; [webhooks](guides/webhooks) says how to check a signature.',
      ),
      ...callSamples(
        {
          name: 'webhook.save',
          input: subscription,
          request: { method: 'POST', path: '/v1/webhooks', body: subscription },
          cli: `webhook save --url ${subscription.url} ${subscription.events.map((type) => `--events ${type}`).join(' ')}`,
        },
        site,
        'CRIER_API_KEY',
      ),
      heading('Send'),
      text(
        'Give a message the tags and the metadata by which your program knows it again: they come back in each of its events, and [message.list](operations/message.list) finds messages by tag. Text that a stranger typed belongs in `variables`, never in the subject or the body.',
      ),
      ...callSamples(
        {
          name: 'email.send',
          input: receipt,
          request: { method: 'POST', path: '/v1/emails', body: receipt },
          cli: `email send --to ${receipt.to} --subject '${receipt.subject}' --text '${receipt.text}' --variables '${JSON.stringify(receipt.variables)}' --tags receipt --metadata '${JSON.stringify(receipt.metadata)}' --idempotency-key ${receipt.idempotency_key}`,
        },
        site,
        'CRIER_API_KEY',
      ),
      text(
        'The same call takes `from` at any of the business’s verified domains (any address while mail stays in the built-in inbox), up to 50 addresses in `to` for people who may see each other, `reply_to` (one or several), `cc` and `bcc` (each recipient has a message of their own, listed in `copies`), the headers `In-Reply-To`, `References` and `X-…`, and attachments of 10 MB together. An attachment with a `content_id` is shown where the HTML says `<img src="cid:…">`.',
      ),
      text('What your webhook gets:'),
      code(
        'json',
        `{
  "id": "evt_…",
  "type": "message.sent",
  "created_at": "2026-11-24T09:00:00.000Z",
  "business_id": "bus_…",
  "data": {
    "message_id": "msg_…",
    "channel": "email",
    "contact_id": null,
    "campaign_id": null,
    "to": "ana@example.com",
    "tags": ["receipt"],
    "metadata": {"order_id": "1017"}
  }
}`,
      ),
      heading('Look it up'),
      ...callSamples(
        {
          name: 'message.list',
          input: { tag: 'receipt' },
          request: { method: 'GET', path: '/v1/messages?tag=receipt', body: undefined },
          cli: 'message list --tag receipt',
        },
        site,
        'CRIER_API_KEY',
      ),
      heading('In TypeScript'),
      text(
        `\`createClient({ url: '${appUrl}', apiKey: process.env.CRIER_API_KEY })\` of \`${sdkPackage}\` has every operation as a method; the command line takes the key in \`CRIER_API_KEY\`. At the tool endpoint, \`${appUrl}/api/functions/${slug}-mcp\`, a key is a bearer token as well.`,
      ),
      heading('What a key may do'),
      list(
        'It acts in one business, with the scopes that were ticked and a role that is at most its maker’s: if the maker becomes a viewer, so does the key.',
        'It may order messages to as many recipients in 24 hours as its page says, 1,000 at first; beyond that a call is 429 with `retry-after`. It makes 600 requests in any minute, like a token.',
        'It ends when it is revoked, at its last day, or when its maker leaves the business; the owners then get a mail that names it. The next call is 401.',
        'A request with a key and a cookie of the app is 400, and no page of a browser may read what a key is answered.',
      ),
      heading('If a key leaks'),
      steps(
        'Revoke it on the page where it was made: its next call is refused.',
        'Look at the messages and the changes that it made since: [message.list](operations/message.list) and [meta.changes](operations/meta.changes).',
        'Teach your secret scanner the form of keys: `crk_[A-Za-z0-9_-]{43}`.',
      ),
    ],
  }
}
