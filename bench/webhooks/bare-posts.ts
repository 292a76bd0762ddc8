/** The baseline: POSTs of the same bytes by undici alone, with this many in flight. */
import { Pool } from 'undici'

export interface PostOptions {
  port: number
  inFlight: number
  body: string
  headers: Record<string, string>
}

/** POSTs per second. */
export async function barePosts(
  { port, inFlight, body, headers }: PostOptions,
  seconds: number,
): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: inFlight, pipelining: 1 })
  const began = performance.now()
  const end = began + seconds * 1000
  let done = 0
  const post = async (): Promise<void> => {
    while (performance.now() < end) {
      const answer = await pool.request({ method: 'POST', path: '/', headers, body })
      await answer.body.dump()
      done++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, post))
  const rate = (done * 1000) / (performance.now() - began)
  await pool.close()
  return rate
}
