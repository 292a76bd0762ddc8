/** Caddy and nginx from Debian, with the files that the guide provides. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readConfig } from 'crier-server/config.ts'
import { newId } from 'crier-server/core/ids.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { openDatabase, sql } from 'crier-server/lib/db/db.ts'
import { startService as startNode } from '../crash/support/service-process.ts'
import { startSecondNode } from '../operations/support/second-node.ts'
import { testbedAt } from '../operations/support/testbed.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { eventually } from '../support/time/eventually.ts'

const run = promisify(execFile)
const [caddy, nginx] = ['/usr/bin/caddy', '/usr/sbin/nginx']
const deploy = path.join(import.meta.dirname, '../../deploy')

let service: Service
let folder: string
before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'crier-proxies-'))
  service = await startService({
    settings: { BASE_URL: 'https://crier.example', TRUST_PROXY: '1' },
  })
  await service.db.run(sql`
    insert into domain_claims (name, domain_id, degraded, claimed_at)
    values ('shop.example', ${newId('domain')}, false, ${new Date()})
  `)
})
after(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The status of a path over TLS for a host name; 0 if no connection is possible. */
function ask(port: number, name: string, at = '/healthz'): Promise<number> {
  return new Promise((resolve) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: at,
      servername: name,
      headers: { host: name },
      rejectUnauthorized: false,
      agent: false,
    } as const
    const request = https.get(options, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    request.on('error', () => resolve(0))
  })
}

async function running(program: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'pipe' })
  let told = ''
  child.stderr.on('data', (more) => {
    told = (told + more).slice(-4_000)
  })
  const ended = once(child, 'exit')
  return {
    told: () => told,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

test('Caddy serves our name and verified tracking names only, and loses no request when a node stops', {
  skip: missingPrograms(caddy) ?? false,
}, async () => {
  const [http, tls] = [await freePort(), await freePort()]
  const second = await startSecondNode(service)
  // Only the authority and the ports differ from the file, since no public DNS has our names.
  const local = `admin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${http}\n\thttps_port ${tls}`
  const file = path.join(folder, 'Caddyfile')
  const text = readFileSync(path.join(deploy, 'Caddyfile'), 'utf8')
  writeFileSync(file, text.replace('email {$ACME_EMAIL}', local))
  const secondPort = new URL(second.endpoint).port
  const proxy = await running(caddy, ['run', '--adapter', 'caddyfile', '--config', file], {
    DOMAIN: 'crier.example',
    CRIER_NODES: `127.0.0.1:${service.config.port} 127.0.0.1:${secondPort}`,
    CRIER_ASK: `http://127.0.0.1:${service.config.port}/tls/ask`,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  })
  try {
    const first = await eventually(
      () => ask(tls, 'crier.example'),
      (status) => status === 200,
      20_000,
    )
    assert.equal(first, 200, proxy.told())
    assert.equal(await ask(tls, 't.shop.example'), 200)
    assert.equal(await ask(tls, 't.stranger.example'), 0, 'no certificate for a stranger')
    for (const at of ['/metrics', '/tls/ask?domain=t.shop.example']) {
      assert.equal(await ask(tls, 'crier.example', at), 404, at)
    }
    const statuses: number[] = []
    let isAsking = true
    const asking = (async () => {
      while (isAsking) statuses.push(await ask(tls, 'crier.example', '/readyz'))
    })()
    await second.close()
    await eventually(
      async () => statuses.length,
      (n) => n > 60,
    )
    isAsking = false
    await asking
    assert.deepEqual(new Set(statuses), new Set([200]))
  } finally {
    await proxy.stop()
  }
})

/** nginx by our file: of it only the name, the paths and the ports differ. */
async function nginxBefore(nodes: readonly number[]) {
  const [http, tls] = [await freePort(), await freePort()]
  const pem = (name: string) => path.join(folder, name)
  const subject = ['-subj', '/CN=crier.example', '-days', '1']
  const made = ['-keyout', pem('privkey.pem'), '-out', pem('fullchain.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  await run('openssl', ['req', '-x509', '-nodes', ...curve, ...subject, ...made])
  const [first, ...others] = nodes.map((port) => `127.0.0.1:${port}`)
  const text = readFileSync(path.join(deploy, 'nginx.conf'), 'utf8')
    .replaceAll('crier.example.com', 'crier.example')
    .replaceAll('/etc/letsencrypt/live/crier.example/', `${folder}/`)
    .replace('127.0.0.1:8080', first ?? '')
    .replace(
      '# Further nodes: server 10.0.0.12:8080 max_fails=0;',
      others.map((node) => `server ${node} max_fails=0;`).join(' '),
    )
    .replaceAll(/listen (\[::\]:)?443/g, `listen $1${tls}`)
    .replaceAll(/listen (\[::\]:)?80;/g, `listen $1${http};`)
  assert.ok(text.includes(`${others[0]} max_fails=0;`), 'the file names further nodes')
  const file = pem('nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${pem(name)};`,
  )
  writeFileSync(
    file,
    `daemon off;\nuser root;\npid ${pem('nginx.pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${text}\n}\n`,
  )
  return { http, tls, proxy: await running(nginx, ['-p', folder, '-c', file]) }
}

test('nginx asks a node again at once that refused it, and hides the metrics from the public', {
  skip: missingPrograms(nginx) ?? false,
}, async () => {
  const [own, gone] = [await freePort(), await freePort()]
  const { http, tls, proxy } = await nginxBefore([own, gone])
  const node = createServer((socket) => {
    const inner = connect(service.config.port, '127.0.0.1')
    pipeline(socket, inner, socket, () => {})
  })
  try {
    const first = await eventually(
      () => ask(tls, 'crier.example'),
      (status) => status !== 0,
      20_000,
    )
    assert.equal(first, 502, proxy.told())
    node.listen(own, '127.0.0.1')
    await once(node, 'listening')
    // One of the two comes back, and no request is lost to the other.
    for (let n = 0; n < 6; n++) assert.equal(await ask(tls, 'crier.example'), 200, `request ${n}`)
    assert.equal(await ask(tls, 'crier.example', '/metrics'), 404)
    assert.equal(await ask(tls, 'crier.example', '/tls/ask?domain=crier.example'), 404)
    const redirect = await fetch(`http://127.0.0.1:${http}/x`, {
      headers: { host: 'crier.example' },
      redirect: 'manual',
    })
    assert.equal(redirect.status, 301)
  } finally {
    await proxy.stop()
    node.close()
  }
})

/** How many calls are made while both nodes are rolled, at the least. */
const rolledCalls = 1_000
const callersAtOnce = 8

test('behind nginx two nodes are restarted one after the other, and no call of a thousand fails', {
  skip: missingPrograms(nginx) ?? false,
}, async (t) => {
  const database = await emptyDatabase()
  t.after(() => database.drop())
  const { host, user, database: name } = database.connection
  const secret = 'a secret of the tests, which is thrown away'
  const env = {
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${host}`,
    CRIER_SECRET: secret,
    BASE_URL: 'https://crier.example',
    TRUST_PROXY: '1',
    SMTP_URL: 'smtp://127.0.0.1:9',
    ROLE: 'api',
    REQUESTS_PER_CONNECTION: '30000',
  }
  const ports = [await freePort(), await freePort()]
  const start = (n: number) =>
    startNode({ dataDir: path.join(folder, `node-${n}`), port: ports[n] ?? 0, env })
  const nodes = [await start(0), await start(1)]
  t.after(() => Promise.all(nodes.map((node) => node.stop())))
  const db = openDatabase({ connection: database.connection, poolSize: 2 })
  t.after(() => db.end())
  const vault = await openVault(db, secret, new Date())
  const { tls, proxy } = await nginxBefore(ports)
  t.after(() => proxy.stop())
  await eventually(
    () => ask(tls, 'crier.example', '/readyz'),
    (status) => status === 200,
    20_000,
  )
  const endpoint = `http://localhost:${ports[0]}/api/functions/svc-mcp`
  const config = readConfig({ PORT: String(ports[0]) })
  const testbed = testbedAt({ db, vault, config, endpoint })
  const businessId = await testbed.newBusiness('scale')
  const keys: string[] = []
  for (let n = 0; n < callersAtOnce; n++) {
    keys.push((await newApiKey(db, { businessId })).secret)
  }

  const failures: string[] = []
  let [calls, isRolled] = [0, false]
  const agent = new https.Agent({ keepAlive: true, maxSockets: callersAtOnce })
  t.after(() => agent.destroy())
  /** Reads and writes in turn; both go over nginx's own connections to the nodes. */
  const call = (n: number, key: string) => {
    const email = `p-${n}@example.com`
    const kinds = [
      ['GET', '/v1/contacts?limit=1', ''],
      ['PUT', '/v1/contacts', JSON.stringify({ email })],
      // nginx sends a POST to no other node once a byte of it has gone to one.
      ['POST', '/v1/contacts/track', JSON.stringify({ events: [{ email, event: 'visit' }] })],
    ] as const
    const [method, at, body] = kinds[n % 3] ?? kinds[0]
    const headers = {
      host: 'crier.example',
      authorization: `Bearer ${key}`,
      ...(body !== '' && { 'content-type': 'application/json' }),
    }
    const target = { host: '127.0.0.1', port: tls, path: at, method, headers, agent }
    return new Promise<string>((resolve) => {
      const request = https.request(
        { ...target, servername: 'crier.example', rejectUnauthorized: false },
        (answer) => {
          answer.resume()
          answer.once('end', () => resolve(`${answer.statusCode}`))
          answer.once('error', (error) => resolve(error.message))
        },
      )
      request.once('error', (error) => resolve(error.message))
      request.end(body)
    })
  }
  const caller = async (key: string) => {
    while (!isRolled || calls < rolledCalls) {
      calls += 1
      const n = calls
      const status = await call(n, key)
      if (!status.startsWith('2')) failures.push(`call ${n}: ${status}`)
      // Of the 600 calls a minute that a key has.
      await sleep(110)
    }
  }
  const calling = keys.map(caller)
  for (const n of [1, 0]) {
    await nodes[n]?.stop()
    nodes[n] = await start(n)
  }
  isRolled = true
  await Promise.all(calling)
  assert.deepEqual(failures, [], `of ${calls} calls`)
  assert.ok(calls >= rolledCalls)
})

test('systemd finds no fault in the service unit', {
  skip: missingPrograms('/usr/bin/systemd-analyze') ?? false,
}, async () => {
  const text = readFileSync(path.join(deploy, 'crier.service'), 'utf8')
  const file = path.join(folder, 'crier.service')
  writeFileSync(file, text.replace('/opt/crier/node_modules/node/bin/node', process.execPath))
  const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', file])
  assert.doesNotMatch(stderr, /crier\.service/)
})
