/** The cost of building a message, piece by piece, beside nodemailer's composer and signer. */

import { generateKeyPairSync } from 'node:crypto'
import { isRefusal } from '../../server/src/core/errors.ts'
import { type DkimKey, signMessage } from '../../server/src/lib/email/dkim.ts'
import { buildMessage, type MailToBuild } from '../../server/src/lib/email/message.ts'
import { ownTemplates } from '../../tests/support/businesses/own-templates.ts'
import { atLeast, type Bench, type Figure, median, number } from '../support/bench.ts'
import { sizes } from '../support/sizes.ts'
import { newsletter } from './newsletter.ts'

const { rounds, messages } = sizes.mailBuild
/** Simultaneous messages, as many as the connections of a relay would carry. */
const atOnce = 20

export const mailBuild: Bench = {
  name: 'mail-build',
  title: 'Building a mail of 20 kB',
  method: `HTML of ${number(newsletter.html?.length ?? 0)} characters with six values and a text part, headers of a bulk sender. ${rounds} alternating rounds of ${messages} messages, ${atOnce} at once; time of the whole process for each message, medians. nodemailer composes the same parts, and signs with the same key; ours signs in the thread pool.`,

  async run(tell) {
    const templates = ownTemplates()
    try {
      const ways = await waysOf(templates)
      const times = new Map<string, number[]>()
      for (let round = 0; round <= rounds; round++) {
        for (const [name, way] of Object.entries(ways)) {
          const took = await microseconds(way)
          // The first round warms up.
          if (round > 0) times.set(name, [...(times.get(name) ?? []), took])
        }
        tell(`round ${round} of ${rounds}`)
      }
      return figuresOf(new Map([...times].map(([name, all]) => [name, median(all)])))
    } finally {
      await templates.close()
    }
  },
}

type BuildMessage = (n: number) => Promise<unknown>

async function waysOf(
  templates: ReturnType<typeof ownTemplates>,
): Promise<Record<string, BuildMessage>> {
  const compiled = await templates.check(newsletter)
  if (isRefusal(compiled)) throw compiled
  const variables = (n: number) => ({
    contact: { name: `Ana <${n}> Größe`, attributes: { city: 'Köln', points: n } },
    unsubscribe_url: `https://example.com/u/${n}`,
  })
  const content = await templates.renderContent(compiled, variables(1))
  const whole = await templates.render(compiled, variables(1))
  if (isRefusal(content) || isRefusal(whole)) throw new Error('the newsletter was refused')

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const key: DkimKey = {
    domain: 'example.com',
    selector: 's1',
    algorithm: 'rsa-sha256',
    privateKey: rsa,
  }
  const ed25519: DkimKey = {
    ...key,
    selector: 'e1',
    algorithm: 'ed25519-sha256',
    privateKey: generateKeyPairSync('ed25519').privateKey,
  }
  const mail = {
    from: 'Ana <ana@example.com>',
    to: 'bob@example.org',
    subject: whole.subject,
    headers: [
      ['List-Unsubscribe', '<https://example.com/u/1>'],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ['Feedback-ID', 'campaign:business:marketing:crier'],
    ],
    messageId: 'one@example.com',
    date: new Date(),
  } satisfies MailToBuild
  const built = await buildMessage({ ...mail, ...content })
  const at = new Date()
  const dkim = {
    domainName: key.domain,
    keySelector: key.selector,
    privateKey: rsa.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const { default: DKIM } = await import('nodemailer/lib/dkim')
  const compose = () =>
    new MailComposer({ ...mail, ...whole, headers: Object.fromEntries(mail.headers) }).compile()
  return {
    'nodemailer composes': () => compose().build(),
    'built of whole texts': () => buildMessage({ ...mail, ...whole }),
    'built of encoded pieces': () => buildMessage({ ...mail, ...content }),
    'rendered in its thread': (n) => templates.renderContent(compiled, variables(n)),
    'signed, RSA-2048': () => signMessage(built, [key], at),
    'signed, RSA-2048 and ed25519': () => signMessage(built, [key, ed25519], at),
    'all of ours': async (n) => {
      const rendered = await templates.renderContent(compiled, variables(n))
      if (isRefusal(rendered)) throw rendered
      return signMessage(await buildMessage({ ...mail, ...rendered }), [key], at)
    },
    'nodemailer composes and signs': async () => {
      const node = compose()
      const signed: Buffer[] = []
      for await (const chunk of new DKIM(dkim).sign(await node.build())) signed.push(chunk)
      return Buffer.concat(signed)
    },
  }
}

/** Microseconds per message, with this many built at once. */
async function microseconds(way: BuildMessage): Promise<number> {
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < messages) await way(next++)
    }),
  )
  return ((performance.now() - began) * 1000) / messages
}

function figuresOf(times: ReadonlyMap<string, number>): Figure[] {
  const of = (name: string) => times.get(name) ?? Number.NaN
  const lines = [...times].map(([name, time]) => ({
    name,
    value: `${number(Math.round(time))} µs`,
  }))
  return [
    ...lines,
    atLeast(
      'encoded pieces against nodemailer, times',
      of('nodemailer composes') / of('built of encoded pieces'),
      5,
    ),
    atLeast(
      'all of ours against nodemailer, times',
      of('nodemailer composes and signs') / of('all of ours'),
      2,
    ),
  ]
}
