import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves once something takes connections on the port of loopback. */
export async function answersOn(port: number, child: ChildProcess, ms = 20_000): Promise<void> {
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
