/** One business has eight hostile templates checked at once; another's mail does not wait. */
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

test('eight hostile templates of one business do not hold up another business’s mail', {
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

  const attacker = await mail.testbed.caller({ businesses: [await mail.testbed.newBusiness()] })
  const health = watchHealth(mail.testbed.service.url)
  const told: string[] = []
  const attack = Array.from({ length: 8 }, async (_, n) => {
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
