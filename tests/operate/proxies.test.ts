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
import { promisify } from 'node:util'
import { newId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { startSecondNode } from '../operations/support/second-node.ts'
import { freePort } from '../support/network/port.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { eventually } from '../support/time/eventually.ts'

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

test('nginx asks a node again at once that refused it, and hides the metrics from the public', {
  skip: missingPrograms(nginx) ?? false,
}, async () => {
  const [http, tls] = [await freePort(), await freePort()]
  const [own, gone] = [await freePort(), await freePort()]
  const pem = (name: string) => path.join(folder, name)
  const subject = ['-subj', '/CN=crier.example', '-days', '1']
  const made = ['-keyout', pem('privkey.pem'), '-out', pem('fullchain.pem')]
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-nodes',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    ...subject,
    ...made,
  ])
  const text = readFileSync(path.join(deploy, 'nginx.conf'), 'utf8')
    .replaceAll('crier.example.com', 'crier.example')
    .replaceAll('/etc/letsencrypt/live/crier.example/', `${folder}/`)
    .replace('127.0.0.1:8080', `127.0.0.1:${own}`)
    .replace('# Further nodes: server 10.0.0.12:8080', `server 127.0.0.1:${gone}`)
    .replaceAll(/listen (\[::\]:)?443/g, `listen $1${tls}`)
    .replaceAll(/listen (\[::\]:)?80;/g, `listen $1${http};`)
  const file = pem('nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${pem(name)};`,
  )
  writeFileSync(
    file,
    `daemon off;\nuser root;\npid ${pem('nginx.pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${text}\n}\n`,
  )
  const proxy = await running(nginx, ['-p', folder, '-c', file])
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

test('systemd finds no fault in the service unit', {
  skip: missingPrograms('/usr/bin/systemd-analyze') ?? false,
}, async () => {
  const text = readFileSync(path.join(deploy, 'crier.service'), 'utf8')
  const file = path.join(folder, 'crier.service')
  writeFileSync(file, text.replace('/opt/crier/node_modules/node/bin/node', process.execPath))
  const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', file])
  assert.doesNotMatch(stderr, /crier\.service/)
})
