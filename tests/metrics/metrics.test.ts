import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'crier-server/lib/db/db.ts'
import { enqueue } from 'crier-server/lib/jobs/job.ts'
import { openSequences } from 'crier-server/sequences/sequence.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { webhookReceiver } from '../support/network/webhook-receiver.ts'
import { eventually } from '../support/time/eventually.ts'
import { promtool, startPrometheus, withoutPrometheus } from './prometheus.ts'

const skip = withoutPrometheus
const operate = path.join(import.meta.dirname, '../../docs/operate')
const rules = path.join(operate, 'alerts.yaml')

let testbed: OwnTestbed
let folder: string
before(async () => {
  testbed = await openTestbed({
    settings: { SENDER_GATE: 'off', OUTBOUND_ALLOW: '127.0.0.0/8:*' },
  })
  folder = mkdtempSync(path.join(tmpdir(), 'crier-metrics-'))
  await scrape()
  const business = await testbed.newBusiness('scale')
  const caller = await testbed.caller({ businesses: [business] })
  await caller.get('business.list', {})
  await caller.call('form.get', { form_id: 'frm_none' })
})
after(async () => {
  await testbed.close()
  rmSync(folder, { recursive: true })
})

async function scrape(headers: Record<string, string> = {}) {
  const answer = await fetch(`${testbed.service.url}/metrics`, { headers })
  return { status: answer.status, text: await answer.text() }
}

test('metrics of calls, the queue and the process are exported without anyone’s id', async () => {
  const { status, text } = await scrape()
  assert.equal(status, 200)
  assert.match(text, /^crier_requests_total\{operation="business\.list",outcome="ok"\} 1$/m)
  assert.match(text, /^crier_requests_total\{operation="form\.get",outcome="\w+"\} 1$/m)
  assert.match(text, /^crier_request_seconds_bucket\{le="0\.1",operation="business\.list"\} /m)
  for (const line of ['crier_workers 1', 'crier_figures_up 1', 'crier_sending_paused 0']) {
    assert.ok(text.split('\n').includes(line), line)
  }
  assert.match(text, /^nodejs_eventloop_lag_seconds /m)
  assert.doesNotMatch(text, /bus_|cnx_|@/)
  const depth = (now: string) => metricIn(now, 'crier_queue_depth{kind="a.later.job"}')
  const dueAt = new Date(Date.now() + 3_600_000)
  const job = { kind: 'a.later.job', businessId: null, payload: null, dueAt }
  await testbed.db.tx((tx) => enqueue(tx, [job, { ...job }, { ...job }], new Date()))
  assert.equal(depth((await scrape()).text), 3, 'counted, and not estimated')
})

test('automations that run are in the metrics', async () => {
  const { businessId } = await testbed.someone('scale')
  const before = await openSequences(testbed.db)
  assert.deepEqual(Object.keys(before), ['awaiting_approval', 'running', 'paused'])
  await testbed.db.run(sql`
    insert into sequences (business_id, id, name, status, definition, version, created_at, updated_at)
    select ${businessId}, gen_random_uuid(), status, status, '{}', 1, now(), now()
    from unnest(array['draft', 'running']) as status
  `)
  const running = (before['running'] ?? 0) + 1
  assert.deepEqual(await openSequences(testbed.db), { ...before, running })
  assert.match(
    (await scrape()).text,
    new RegExp(`^crier_automations\\{state="running"\\} ${running}$`, 'm'),
  )
})

test('reports about messages and open campaigns are in the metrics', async () => {
  const { owner } = await testbed.someone('scale')
  const before = (await scrape()).text
  const reports = (event: string) => `crier_reports_total{event="${event}"}`
  for (const state of ['scheduled', 'awaiting_approval', 'deployed', 'paused']) {
    assert.match(before, new RegExp(`^crier_campaigns\\{state="${state}"\\} 0$`, 'm'))
  }
  const to = 'complained@simulator.crier.test'
  await owner.get('email.send', { to, subject: 'Hello', text: 'It is marked as spam.' })
  const { text } = await eventually(
    scrape,
    (now) =>
      metricIn(now.text, reports('complained')) - metricIn(before, reports('complained')) === 1,
    20_000,
  )
  assert.equal(metricIn(text, reports('complained')) - metricIn(before, reports('complained')), 1)
  assert.equal(metricIn(text, reports('unsubscribed')), metricIn(before, reports('unsubscribed')))
  assert.doesNotMatch(text, /bus_|crier\.test|@/)
})

test('messages, webhooks and what a node holds are in its metrics', async (t) => {
  let secret = ''
  const receiver = await webhookReceiver(() => secret)
  t.after(() => receiver.close())
  const { owner } = await testbed.someone('scale')
  const hook = { url: receiver.url, events: ['contact.created'] }
  secret = (await owner.get<{ signing_secret: string }>('webhook.save', hook)).signing_secret
  const before = (await scrape()).text
  await owner.get('contact.upsert', { email: 'ana@example.com' })
  await owner.get('email.send', { to: 'ana@example.com', subject: 'Hello', text: 'It works.' })
  const counted = async () => {
    const { text } = await scrape()
    return (name: string) => metricIn(text, name) - metricIn(before, name)
  }
  const more = await eventually(counted, (now) =>
    ['crier_sends_total{channel="email",result="accepted"}', 'crier_webhook_seconds_count'].every(
      (name) => now(name) === 1,
    ),
  )
  assert.equal(more('crier_webhook_attempts_total{result="delivered"}'), 1)
  assert.equal(more('crier_send_seconds_count{channel="email"}'), 1)
  const ahead = (table: string) => `crier_partitions_ahead{table="${table}"}`
  const { text } = await eventually(
    scrape,
    (now) => metricIn(now.text, ahead('audit_entries')) === 2,
  )
  assert.equal(metricIn(text, 'crier_shards_held'), 256)
  assert.equal(metricIn(text, 'crier_pool_waiting'), 0)
  assert.ok(metricIn(text, 'crier_pool_connections{state="busy"}') >= 0)
  assert.ok(
    metricIn(text, 'crier_pool_wait_seconds_total') > 0,
    'the first connections were opened',
  )
  assert.equal(metricIn(text, ahead('events')), 7)
  assert.equal(metricIn(text, ahead('audit_entries')), 2)
})

/** The value of a metric by its name and labels as they are printed; 0 if it is not there. */
function metricIn(text: string, name: string): number {
  const line = text.split('\n').find((part) => part.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}

test('a proxied request gets no metrics, and with METRICS_TOKEN only its bearer does', async () => {
  const proxied = await scrape({ 'x-forwarded-for': '203.0.113.9' })
  assert.equal(proxied.status, 401)
  const token = 'a token of sixteen characters or more'
  const other = await openTestbed({ settings: { METRICS_TOKEN: token } })
  const asked = async (authorization?: string) => {
    const headers = authorization ? { authorization } : {}
    return (await fetch(`${other.service.url}/metrics`, { headers })).status
  }
  const statuses = [await asked(), await asked('Bearer wrong'), await asked(`Bearer ${token}`)]
  await other.close()
  assert.deepEqual(statuses, [401, 401, 200])
})

test('every expression in the alerts and the dashboard uses a metric that is exported', async () => {
  const { text } = await scrape()
  const printed = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const dashboard = JSON.parse(readFileSync(path.join(operate, 'grafana.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[]
  }
  const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const alerting = [...readFileSync(rules, 'utf8').matchAll(/expr: (.*)/g)].map(([, expr]) => expr)
  assert.ok(shown.length > 7 && alerting.length > 7)
  for (const expr of [...shown, ...alerting]) {
    const names = [...(expr ?? '').matchAll(/\b(?:crier|nodejs|process)_\w+/g)].map(
      ([name]) => name,
    )
    for (const name of names) {
      assert.ok(printed.has(name.replace(/_(?:bucket|sum|count)$/, '')), `${name} in ${expr}`)
    }
  }
})

test('each alert says how urgent it is, and where it is written what to do', () => {
  const text = readFileSync(rules, 'utf8')
  const guide = readFileSync(path.join(operate, 'alerts.md'), 'utf8')
  const names = [...text.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '')
  assert.ok(names.length > 15)
  assert.equal(text.match(/^ {10}severity: (?:critical|warning)$/gm)?.length, names.length)
  // One alert tells that no backup is watched, and those of a backup's age and fault do not.
  assert.equal(text.match(/^ {8}expr: (?:.* or )?absent\(.*\)$/gm)?.length, names.length - 2)
  assert.equal(text.match(/absent\(crier_backup/g)?.length, 1)
  for (const name of names) {
    assert.ok(text.includes(`runbook: docs/operate/alerts.md#${name.toLowerCase()}`), name)
    assert.ok(guide.includes(`\n## ${name}\n`), name)
  }
})

test('sizes, the release and what lags behind are in the metrics', async () => {
  const { text } = await scrape()
  assert.match(text, /^crier_info\{release="v\d+\.\d+\.\d+"\} 1$/m)
  assert.ok(metricIn(text, 'crier_database_bytes') > 1e6)
  for (const name of ['archive_behind_seconds', 'ledger_behind_seconds', 'queue_jobs']) {
    assert.match(text, new RegExp(`^crier_${name} \\d`, 'm'))
  }
})

test('a database that hangs delays no scrape and no answer of readiness', async (t) => {
  const { db } = testbed.service
  const released = Promise.withResolvers<void>()
  // The worker's statements hang as well, and go on afterwards.
  const mocks = (['one', 'all', 'maybe', 'run', 'tx'] as const).map((name) => {
    const ask = db[name].bind(db) as (...args: unknown[]) => Promise<unknown>
    return t.mock.method(db, name, async (...args: unknown[]) => {
      await released.promise
      return ask(...args)
    })
  })
  // What was known of the database a moment ago is no longer used.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const began = performance.now()
  const [{ text }, ready] = await Promise.all([scrape(), fetch(`${testbed.service.url}/readyz`)])
  const took = performance.now() - began
  for (const { mock } of mocks) mock.restore()
  released.resolve()
  assert.ok(took < 1_500, `${took} ms`)
  assert.match(text, /^crier_figures_up 0$/m)
  assert.match(text, /^crier_database_works 0$/m)
  assert.equal(ready.status, 503)
})

/** A case for promtool of each alert where nothing is scraped: all fire, except for two of three for backups. */
function absentCases(): string {
  const text = readFileSync(rules, 'utf8')
  return text
    .split('- alert: ')
    .slice(1)
    .map((rule) => {
      const [name = ''] = /^\w+/.exec(rule) ?? []
      const [severity = ''] = /(?<=severity: )\w+/.exec(rule) ?? []
      const [job = ''] = /(?<=absent\(up\{job=")\w+/.exec(rule) ?? []
      const [, summary = ''] = /summary: ["']?(.*?)["']?\n/.exec(rule) ?? []
      const [, otherwise = summary] = /\{\{ else \}\}(.*)\{\{ end \}\}/.exec(summary) ?? []
      if (!rule.includes('absent(')) {
        return `      - eval_time: 400m
        alertname: ${name}
        exp_alerts: []`
      }
      const labels = `{ severity: ${severity}${job === '' ? '' : `, job: ${job}`} }`
      return `      - eval_time: 400m
        alertname: ${name}
        exp_alerts:
          - exp_labels: ${labels}
            exp_annotations:
              summary: "${otherwise}"
              runbook: docs/operate/alerts.md#${name.toLowerCase()}`
    })
    .join('\n')
}

test('the alerts fire when a node is gone, a queue is stuck, a backup is old or a disk is full', {
  skip,
}, async () => {
  const file = path.join(folder, 'alerts.test.yaml')
  const cases = readFileSync(path.join(import.meta.dirname, 'alerts.test.yaml'), 'utf8')
  writeFileSync(file, cases.replace('RULES', rules).replace('# EVERY', absentCases()))
  const { stdout } = await promisify(execFile)(promtool, ['test', 'rules', file])
  assert.match(stdout, /SUCCESS/)
})

test('Prometheus scrapes the service and evaluates the alerts', { skip }, async () => {
  const targets = [new URL(testbed.service.url).host]
  const prometheus = await startPrometheus(folder, { rules, targets })
  try {
    const workers = () => prometheus.ask(`query?query=${encodeURIComponent('max(crier_workers)')}`)
    // The worker, whose database hung before, is counted again.
    const up = await eventually(workers, (answer) => answer?.result?.[0]?.value[1] === '1', 30_000)
    assert.equal(up?.result?.[0]?.value[1], '1')
    const [group] = (await prometheus.ask('rules'))?.groups ?? []
    assert.ok(group && group.rules.length > 7)
    assert.ok(group.rules.every(({ health }) => health !== 'err'))
  } finally {
    await prometheus.stop()
  }
})
