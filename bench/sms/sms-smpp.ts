/** Texts over SMPP from the queue to their end, compared with a bare client of the same SMSC. */

import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../server/src/core/ids.ts'
import { createVault } from '../../server/src/lib/crypto/vault.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { saveMessages } from '../../server/src/messages/save.ts'
import type { MessageToSave } from '../../server/src/messages/to-save.ts'
import { newBusiness, someOrigin } from '../../tests/support/businesses/business.ts'
import { type Smsc, startSmsc } from '../../tests/support/sms/smsc.ts'
import { atLeast, type Bench, median, number } from '../support/bench.ts'
import type { SenderProcess } from '../support/sender-process.ts'
import { sizes } from '../support/sizes.ts'
import { openTestbed } from '../support/testbed.ts'
import { placeOf } from '../writes/support/place.ts'
import { alternate } from '../writes/support/rounds.ts'
import { bareClient, transportClient } from './clients.ts'
import { startSmsSender } from './sms-sender.ts'

const window = 20
const { texts, rounds } = sizes.smsSmpp
/** The delay of an SMSC in another town. */
const delayMs = 20

export const smsSmpp: Bench = {
  name: 'sms-smpp',
  title: 'Texts over SMPP, from the queue to their end',
  method: `${number(texts)} texts of one segment, each with words of its own, over one link with a window of ${window}, into the Perl SMSC of the tests. With the queue: all of the database's work in one process, claimed, marked as attempted before submit_sm, journalled, recorded with the SMSC's id; the queueing itself is not in it. The transport alone: the same code without a queue. Beside them a bare client: frames that were made before, over one link with the same window, into the same SMSC, and nothing kept of the answers. Once an SMSC that answers after ${delayMs} ms, as one in another town does, and once one that answers at once. ${rounds} alternating rounds; ratios are taken within each, and the median is shown.`,

  async run(tell) {
    const testbed = await openTestbed({}, 'api')
    const prompt = await startSmsc({ quiet: true })
    const far = await startSmsc({ quiet: true, delayMs })
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'crier-sms-'))
    try {
      const place = { db: testbed.db, businessId: await newBusiness(testbed.db) }
      const connection = await placeOf(testbed.dataDir)
      const senderTo = (smsc: Smsc, folder: string) =>
        startSmsSender({ connection, smsUrl: urlOf(smsc), dataDir: path.join(dataDir, folder) })
      const toPrompt = await senderTo(prompt, 'prompt')
      const toFar = await senderTo(far, 'far')
      const all = await alternate(
        {
          queueToFar: () => fromQueue(toFar, place),
          bareToFar: () => bare(far),
          queue: () => fromQueue(toPrompt, place),
          transport: () => transportClient({ smsUrl: urlOf(prompt), texts, body: wordsOf(0) }),
          bare: () => bare(prompt),
        },
        { rounds, seconds: 0, tell },
      )
      const { megabytes } = await toPrompt.used()
      await Promise.all([toPrompt.end(), toFar.end()])
      type Name = keyof (typeof all)[number]
      const rate = (name: Name) => number(median(all.map((round) => round[name])))
      const share = (of: Name, by: Name) => median(all.map((round) => round[of] / round[by]))
      return [
        atLeast(
          `share of a bare client, ${delayMs} ms away`,
          share('queueToFar', 'bareToFar'),
          0.5,
        ),
        atLeast('share of a bare client, the transport alone', share('transport', 'bare'), 0.5),
        {
          name: 'share of a bare client, at once',
          value: number(share('queue', 'bare')),
        },
        { name: `texts a second, ${delayMs} ms away`, value: rate('queueToFar') },
        { name: `texts a second, ${delayMs} ms away, a bare client`, value: rate('bareToFar') },
        { name: 'texts a second, at once', value: rate('queue') },
        { name: 'texts a second, at once, the transport alone', value: rate('transport') },
        { name: 'texts a second, at once, a bare client', value: rate('bare') },
        { name: 'memory of the process', value: `${number(megabytes)} MB` },
      ]
    } finally {
      await rm(dataDir, { recursive: true, force: true })
      await Promise.all([prompt.stop(), far.stop()])
      await testbed.close()
    }
  },
}

const urlOf = (smsc: Smsc) => smsc.url(`?window=${window}`)

function bare({ port }: Smsc): Promise<number> {
  const login = { user: 'crier', password: 'pa:ss' }
  return bareClient({ port, ...login, window, texts, body: wordsOf(0) })
}

interface Place {
  db: Database
  businessId: Id<'business'>
}

/** Texts per second, from the first claim to the end of the last text. */
async function fromQueue(sender: SenderProcess, { db, businessId }: Place): Promise<number> {
  await sender.hold()
  await queue(db, businessId)
  const began = performance.now()
  sender.go()
  await sender.during(settled(db))
  const perSecond = (texts * 1000) / (performance.now() - began)
  await sender.hold()
  return perSecond
}

const { hmac } = createVault('a secret of a bench, which is thrown away')
const wordsOf = (n: number) => `Your prepared ${n} is on its way: it comes tomorrow before noon.`
let queued = 0

async function queue(db: Database, businessId: Id<'business'>): Promise<void> {
  const perFlush = 200
  const noMail = { subject: null, html: null, attachments: null }
  const untracked = { trackOpens: false, trackClicks: false }
  const content = { ...noMail, ...untracked, variables: null }
  for (let at = 0; at < texts; at += perFlush) {
    const items = Array.from({ length: Math.min(perFlush, texts - at) }, (): MessageToSave => {
      const n = queued++
      return {
        businessId,
        channel: 'sms',
        units: 1,
        tier: 'scale',
        origin: someOrigin(),
        hmac,
        kind: 'transactional',
        contactId: undefined,
        to: `+336${String(10_000_000 + n)}`,
        template: undefined,
        content: { ...content, text: wordsOf(n) },
        sendAt: undefined,
        allowDuplicate: false,
      }
    })
    await db.tx((tx) => saveMessages.save(tx, items, new Date()))
  }
}

async function settled(db: Database): Promise<void> {
  for (;;) {
    const { waiting } = await db.one<{ waiting: boolean }>(sql`
      select exists (select from messages where state <> 'accepted') as waiting
    `)
    if (!waiting) return
    await sleep(30)
  }
}
