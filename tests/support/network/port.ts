/** Ports on loopback: finds a free one, and waits until somebody listens. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Below the range from which Linux gives ports to clients and to `listen(0)` (32,768 and up): a
// port of that range can be taken after it was found free and before a service listens there, or
// while a killed service starts again.
const [first, count] = [18_000, 12_000]
// Test files run concurrently, as processes with similar pids.
let next = (process.pid * 16) % count

/** A port that nobody uses; the service's addresses need its number before the service starts. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < count; tries++) {
    const port = first + next
    next = (next + 1) % count
    if (await isFree(port)) return port
  }
  throw new Error(`every port from ${first} to ${first + count} is in use`)
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}

/** Resolves once a program accepts connections on the port. */
export async function answersOn(port: number, child: ChildProcess, ms = 60_000): Promise<void> {
  for (const until = Date.now() + ms; ; ) {
    if (await connects(port)) return
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended at once`)
    if (Date.now() > until) throw new Error(`${child.spawnfile} does not answer on ${port}`)
    await sleep(20)
  }
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
