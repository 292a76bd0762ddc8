import { code, heading, type Page, table, text } from '../blocks.ts'
import { sdkPackage } from '../packages.ts'
import { callSamples } from '../samples/operation.ts'
import type { Site } from '../site.ts'

const order = { email: 'ana@example.com', tags: ['customer'], idempotency_key: 'order-1042' }

export function idempotencyGuide(site: Site): Page {
  const { appUrl, gatewayUrl } = site
  return {
    path: 'guides/idempotency',
    title: 'Idempotency',
    about:
      'An answer may get lost on its way. With a key of your own, a write is done once, however often you send it.',
    keywords: 'safely retry post timeout duplicate',
    blocks: [
      text(
        'Every operation that writes takes `idempotency_key`: 1 to 200 printable ASCII characters, your own name for this call. It holds for 24 hours within a business. Over REST the header `Idempotency-Key` is the same; where both are sent they must be equal.',
      ),
      code(
        'curl',
        `curl -X PUT ${gatewayUrl}/v1/contacts \\
  -H "Authorization: Bearer $CRIER_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-1042' \\
  -d '{"email":"ana@example.com","tags":["customer"]}'`,
      ),
      code(
        'typescript',
        `import { createClient, sealedFile } from '${sdkPackage}/node'

const client = createClient({
  url: '${appUrl}',
  store: sealedFile({ file: '.crier/connection' }),
})

const order = { email: 'ana@example.com', tags: ['customer'], idempotency_key: 'order-1042' }
const first = await client.contact.upsert(order)
const again = await client.contact.upsert(order)
console.log(first.contact_id === again.contact_id)`,
      ),
      ...callSamples(
        {
          name: 'contact.upsert',
          input: order,
          request: { method: 'PUT', path: '/v1/contacts', body: order },
          cli: 'contact upsert --email ana@example.com --tags customer --idempotency-key order-1042',
        },
        site,
      ).filter(({ language }) => !['curl', 'typescript'].includes(language)),
      heading('What happens'),
      table(
        ['the key', 'then'],
        [
          ['is new', 'The work is done and its answer kept.'],
          [
            'is in use at this moment',
            'The call waits for that one and gets its answer. Where that takes too long it is 503 `unavailable`: send it again under the same key.',
          ],
          ['was used with the same arguments', 'The first answer, and nothing is done.'],
          [
            'was used with other arguments',
            '409 `conflict`, with the call under a new key as `fix`.',
          ],
          ['belongs to a call that was refused', 'It is free: mend the call and send it again.'],
        ],
      ),
      text(
        'Rows, events, usage and the answer are stored together or not at all, so there is no moment at which a crash makes a key lie.',
      ),
      text(
        'The SDK makes a key for each write by itself, and all tries of one call have it. Give your own where the call may come again from outside: an order that is posted twice has one receipt with `receipt-1042`.',
      ),
      heading('Without a key'),
      text(
        'Operations that are idempotent by nature, such as [contact.upsert](operations/contact.upsert), may be repeated all the same: twice the same call leaves the same row and announces nothing the second time.',
      ),
      text(
        'Sending is not among them. Over REST and SMTP each call of [email.send](operations/email.send) or [sms.send](operations/sms.send) sends, also an equal one. At the tool endpoint, where models repeat themselves, an equal message within two minutes is answered with the first one and `duplicate`, unless it has a key of its own or `allow_duplicate`.',
      ),
    ],
  }
}
