/** Mail from the queue to its end, compared with smtp-source and nodemailer's own pool. */

import { spawn } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
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
import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts'
import { atLeast, type Bench, median, number } from '../support/bench.ts'
import { startHelper } from '../support/helper.ts'
import { sizes } from '../support/sizes.ts'
import { openTestbed } from '../support/testbed.ts'
import { placeOf } from '../writes/support/place.ts'
import { alternate } from '../writes/support/rounds.ts'
import type { MailPoolOptions } from './mail-pool.ts'
import { startMailSender } from './mail-sender.ts'
import { words } from './words.ts'

const connections = 20
const { messages, rounds } = sizes.emailSend
const domain = 'shop.example'

export const emailSend: Bench = {
  name: 'email-send',
  title: 'Email, from the queue to its end',
  method: `${number(messages)} messages of 20 kB HTML, each with words of its own, a DKIM signature by RSA-2048, and all of the database's work: claimed, marked as attempted before MAIL FROM, journalled, recorded with the relay's reply. One process into smtp-sink over ${connections} connections. Beside it smtp-source (C) with messages of that size, and nodemailer's own pool with its DKIM. ${rounds} alternating rounds; ratios are taken within each round, and the median is shown. The queueing itself, and the places of its events in the feed, are not in it.`,

  async run(tell) {
    const testbed = await openTestbed({}, 'api')
    const sink = await startSmtpSink()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    try {
      const businessId = await newBusiness(testbed.db)
      const place = await placeOf(testbed.dataDir)
      const dataDir = await mkdtemp(path.join(os.tmpdir(), 'crier-mail-'))
      const smtpUrl = sink.url(`?pool=${connections}`)
      const sender = await startMailSender({ connection: place, smtpUrl, dataDir, key, domain })
      const used: Used[] = []
      const all = await alternate(
        {
          crier: async () => {
            await sender.hold()
            await queue(testbed.db, businessId)
            const before = await sender.used()
            const began = performance.now()
            sender.go()
            await sender.during(settled(testbed.db))
            const seconds = (performance.now() - began) / 1000
            const { cpuSeconds, megabytes } = await sender.used()
            used.push({ cpuSeconds: cpuSeconds - before.cpuSeconds, megabytes, seconds })
            return messages / seconds
          },
          smtpSource: () => smtpSource(sink.port),
          nodemailer: () =>
            nodemailerPool({
              port: sink.port,
              connections,
              messages,
              key,
              domain,
              words: words(0),
            }),
        },
        { rounds, seconds: 0, tell },
      )
      const rate = (name: keyof (typeof all)[number]) => median(all.map((round) => round[name]))
      const ratio = (name: 'smtpSource' | 'nodemailer') =>
        median(all.map((round) => round.crier / round[name]))
      await sender.end()
      await rm(dataDir, { recursive: true })
      const rsa = rsaSeconds(key) * messages
      return [
        atLeast('share of smtp-source', ratio('smtpSource'), 0.15),
        atLeast("times nodemailer's pool", ratio('nodemailer'), 2),
        { name: 'messages a second', value: number(rate('crier')) },
        { name: 'messages a second, smtp-source', value: number(rate('smtpSource')) },
        { name: "messages a second, nodemailer's pool", value: number(rate('nodemailer')) },
        {
          name: 'memory of the process',
          value: `${number(median(used.map((u) => u.megabytes)))} MB`,
        },
        {
          name: "RSA's share of its CPU",
          value: `${number((100 * rsa) / median(used.map((u) => u.cpuSeconds)))} %`,
        },
        {
          name: 'CPU of the process, of one core',
          value: `${number(median(used.map((u) => (100 * u.cpuSeconds) / u.seconds)))} %`,
        },
      ]
    } finally {
      await sink.stop()
      await testbed.close()
    }
  },
}

interface Used {
  cpuSeconds: number
  megabytes: number
  seconds: number
}

const { hmac } = createVault('a secret of a bench, which is thrown away')
let queued = 0

/** Queues as batched calls do: some hundreds in one transaction. */
async function queue(db: Database, businessId: Id<'business'>): Promise<void> {
  const perFlush = 200
  for (let at = 0; at < messages; at += perFlush) {
    const items = Array.from({ length: Math.min(perFlush, messages - at) }, (): MessageToSave => {
      const n = queued++
      const { subject, html, text: plain } = words(n)
      return {
        businessId,
        channel: 'email' as const,
        units: 1,
        tier: 'scale',
        origin: someOrigin(),
        hmac,
        kind: 'transactional',
        contactId: undefined,
        to: `person-${n}@example.net`,
        template: undefined,
        content: {
          subject,
          html,
          text: plain,
          variables: null,
          attachments: null,
          trackOpens: true,
          trackClicks: true,
        },
        sendAt: undefined,
        allowDuplicate: false,
      }
    })
    await db.tx((tx) => saveMessages.save(tx, items, new Date()))
  }
}

/** Resolves when no job is left; jobs end with their last message, so this check is cheap. */
async function settled(db: Database): Promise<void> {
  for (;;) {
    const { busy } = await db.one<{ busy: boolean }>(sql`
      select exists (select from jobs where kind = 'message.email') as busy
    `)
    if (!busy) break
    await sleep(30)
  }
  const { left } = await db.one<{ left: number }>(sql`
    select count(*) as left from messages where state <> 'accepted'
  `)
  if (left > 0) throw new Error(`${left} messages were not taken`)
}

async function smtpSource(port: number): Promise<number> {
  const size = words(0).html.length + words(0).text.length
  const flags = ['-s', String(connections), '-m', String(messages), '-l', String(size), '-d']
  const where = ['-f', `hello@${domain}`, '-t', 'person@example.net', `127.0.0.1:${port}`]
  const began = performance.now()
  const child = spawn('/usr/sbin/smtp-source', [...flags, ...where], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`smtp-source ended with ${code}`)
  return (messages * 1000) / (performance.now() - began)
}

async function nodemailerPool(options: MailPoolOptions): Promise<number> {
  const printed = await startHelper('mail-pool.ts', { args: [JSON.stringify(options)] }).output()
  return (JSON.parse(printed) as { perSecond: number }).perSecond
}

/** The cost of one signature in core seconds: the least disturbed of several runs. */
function rsaSeconds(pem: string): number {
  const key = createPrivateKey(pem)
  const data = Buffer.alloc(700, 'x')
  const perTurn = 50
  const turns = Array.from({ length: 20 }, () => {
    const began = performance.now()
    for (let i = 0; i < perTurn; i++) sign('sha256', data, key)
    return (performance.now() - began) / 1000 / perTurn
  })
  return Math.min(...turns)
}
