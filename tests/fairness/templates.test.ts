/** Businesses have hostile templates checked at once; another's mail and templates do not wait. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { type SmtpSink, startSmtpSink, withoutSmtpSink } from '../support/mail/smtp-sink.ts'

/** Style rules times elements: seconds of work in a template of the largest size. */
const hostile = (n: number) => {
  const rules = Array.from({ length: 4_000 }, (_, i) => `.a${i} b i{top:${n}px}`).join('')
  const room = 250_000 - rules.length
  return `<style>${rules}</style>${'<b><i>x</i></b>'.repeat(Math.floor(room / 15))}`
}

const skip = withoutSmtpSink()
let sink: SmtpSink
let mail: MailService
before(async () => {
  if (skip) return
  sink = await startSmtpSink({ keep: true })
  mail = await mailService(sink.url())
})
after(async () => {
  await mail?.close()
  await sink?.stop()
})

/** Milliseconds of each health check, until it is stopped. */
function watchHealth(url: string) {
  let over = false
  const took: number[] = []
  const done = (async () => {
    while (!over) {
      const from = performance.now()
      const answer = await fetch(`${url}/healthz`)
      await answer.arrayBuffer()
      took.push(performance.now() - from)
      await sleep(25)
    }
  })()
  return async () => {
    over = true
    await done
    return took.toSorted((a, b) => a - b)
  }
}

function newAttackers(count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => (await mail.testbed.someone()).owner),
  )
}

test('hostile templates of eight businesses do not hold up another business’s mail', {
  skip,
}, async (t) => {
  const send = async (n: number) => {
    const from = performance.now()
    // A thread converts the HTML into the text part.
    const words = { subject: `Receipt ${n}`, html: `<p>Order ${n}</p>` }
    const asked = { to: `n${n}@shop.example`, ...words }
    const { message_id } = await mail.owner.get<{ message_id: string }>('email.send', asked)
    const shown = await mail.until(message_id, 'accepted')
    assert.equal(shown.status, 'accepted')
    return performance.now() - from
  }
  await send(0)
  const quietMs = await send(1)

  const attackers = await newAttackers(8)
  const health = watchHealth(mail.testbed.service.url)
  const told: string[] = []
  const attack = attackers.map(async (attacker, n) => {
    const saving = { name: `Hostile ${n}`, subject: 'x', html: hostile(n) }
    const { body } = await attacker.call('template.save', saving)
    told.push(String(body['message']))
  })
  const attacked = Promise.allSettled(attack)
  await sleep(200)
  const busyMs: number[] = []
  for (let n = 2; n < 5; n++) busyMs.push(await send(n))
  const ended = told.length
  const looks = await health()
  await attacked

  for (const message of told) assert.match(message, /^html takes too long/)
  const slowest = Math.max(...busyMs)
  const most = looks.at(-1) ?? 0
  t.diagnostic(
    `mail ${quietMs.toFixed(0)} ms, ${slowest.toFixed(0)} ms at most beside the checks, of which ${ended} had ended; health ${most.toFixed(0)} ms at most`,
  )
  assert.ok(ended < 8, 'the mail went before the last of the checks had ended')
  // The machine may be busy; the failure would be a wait for a whole check.
  assert.ok(slowest < 1_000 + 4 * quietMs, `a mail took ${slowest} ms, ${quietMs} ms alone`)
  const usual = looks[Math.floor(looks.length * 0.9)] ?? 0
  assert.ok(usual < 500, `health took ${usual} ms`)
})

test('while four businesses flood template.save, another’s saves take little longer', {
  skip,
}, async (t) => {
  const save = async (n: number): Promise<number> => {
    const from = performance.now()
    const html = `<style>p{color:red}</style><h1>News ${n}</h1><p>Hello {{ contact.name }}</p>`
    await mail.owner.get('template.save', { name: `News ${n}`, subject: `News ${n}`, html })
    return performance.now() - from
  }
  await save(0)
  const quiet: number[] = []
  for (let n = 1; n <= 20; n++) quiet.push(await save(n))

  const attackers = await newAttackers(4)
  let over = false
  const refusals = new Map<string, number>()
  const flooding = attackers.flatMap((attacker, a) =>
    Array.from({ length: 5 }, async (_, lane) => {
      for (let n = 0; !over; n++) {
        const html = hostile(1_000 * a + 100 * lane + n)
        const { body } = await attacker.call('template.save', { name: 'x', subject: 'x', html })
        const message = String(body['message']).replaceAll(/\d+/g, 'N')
        refusals.set(message, (refusals.get(message) ?? 0) + 1)
        // Their own work is done in this process, too, and is not what is measured.
        await sleep(250)
      }
    }),
  )
  await sleep(200)
  const flooded: number[] = []
  // Of a hundred, at most four wait for the first template of each attacker.
  for (let n = 21; n <= 120; n++) {
    flooded.push(await save(n))
    await sleep(50)
  }
  over = true
  await Promise.all(flooding)

  const [quietP95, p95] = [percentile(quiet, 95), percentile(flooded, 95)]
  t.diagnostic(`p95 ${quietP95.toFixed(0)} ms alone, ${p95.toFixed(0)} ms beside the flood`)
  t.diagnostic(JSON.stringify([...refusals]))
  assert.match([...refusals.keys()].join(), /html takes too long/)
  assert.match([...refusals.keys()].join(), /Two checks or previews of this business/)
  assert.ok(p95 <= Math.max(3 * quietP95, 2_000), `p95 is ${p95} ms, ${quietP95} ms alone`)
})

function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * p) / 100) - 1] ?? 0
}
