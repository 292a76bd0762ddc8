/**
 * Changes that the service tells as they happen, from whoever made them. One tab of the browser
 * listens for all that show the business, and passes on what it hears: a browser opens few
 * connections to a server.
 */

import type { QueryClient } from '@tanstack/react-query'

interface ChangedTopics {
  business: string
  /** What changed: nothing where the stream only says that it is there. */
  topics: readonly string[]
}

/** Without a sign of life for so long, pages ask by themselves again. */
const silenceMs = 40_000
/** Milliseconds until a refused stream is asked for again. */
const retryMs = 30_000
/** What was read anew is not read again sooner. */
const restMs = 1_000

/** Whose answers change with a topic, beside those of its own operations. */
const dependents: Readonly<Record<string, readonly string[]>> = {
  contact: ['segment'],
  form: ['contact'],
  import: ['contact'],
  domain: ['business'],
  campaign: ['message'],
}

const channel = new BroadcastChannel('crier-live')

export interface Following {
  business: string
  queryClient: QueryClient
  /** Told whether changes are told right now. */
  setLive(live: boolean): void
}

/** Keeps what the app has read of the business fresh until the function that it returns is called. */
export function followBusiness({ business, queryClient, setLive }: Following): () => void {
  const refresh = createRefresh({ business, queryClient })
  const leaving = new AbortController()
  const { signal } = leaving
  let silence: ReturnType<typeof setTimeout> | undefined
  const fallSilent = () => {
    setLive(false)
    // Each query learns with its next answer that it has to ask by itself.
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === business })
  }
  const hear = ({ topics }: Pick<ChangedTopics, 'topics'>) => {
    clearTimeout(silence)
    silence = setTimeout(fallSilent, silenceMs)
    setLive(true)
    refresh(topics)
  }
  channel.addEventListener(
    'message',
    ({ data }: MessageEvent<ChangedTopics>) => data.business === business && hear(data),
    { signal },
  )
  const listen = () =>
    listenTo(business, {
      signal,
      hear(topics) {
        hear({ topics })
        channel.postMessage({ business, topics } satisfies ChangedTopics)
      },
      fail: fallSilent,
    })
  // Browsers have locks on secure pages alone; elsewhere each tab listens for itself.
  if ('locks' in navigator) {
    void navigator.locks
      .request(`crier-live ${business}`, { signal }, listen)
      .catch(() => undefined)
  } else void listen()
  return () => {
    leaving.abort()
    clearTimeout(silence)
    setLive(false)
  }
}

interface Listener {
  signal: AbortSignal
  hear(topics: readonly string[]): void
  /** The stream is refused or was lost. */
  fail(): void
}

/** Listens until the signal; holds the place of this browser meanwhile. */
function listenTo(business: string, { signal, hear, fail }: Listener): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let source: EventSource | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    // The browser comes again by itself, with the id of the last event that it saw.
    source = new EventSource(`/v1/stream?${new URLSearchParams({ business_id: business })}`)
    for (const type of ['ready', 'change', 'beat']) {
      source.addEventListener(type, ({ data }: MessageEvent<string>) => {
        const { topics = [] } = JSON.parse(data) as { topics?: string[] }
        hear(topics)
      })
    }
    source.addEventListener('error', () => {
      if (source?.readyState !== EventSource.CLOSED) return
      fail()
      again = setTimeout(open, retryMs)
    })
  }
  const stop = () => {
    source?.close()
    clearTimeout(again)
    resolve()
  }
  if (signal.aborted) stop()
  else {
    signal.addEventListener('abort', stop, { once: true })
    open()
  }
  return promise
}

/** Reads anew what is shown of a topic: the first change at once, those that follow together. */
function createRefresh({
  business,
  queryClient,
}: Omit<Following, 'setLive'>): (topics: readonly string[]) => void {
  const waiting = new Set<string>()
  let resting = false
  const run = async () => {
    const nouns = new Set([...waiting].flatMap((topic) => [topic, ...(dependents[topic] ?? [])]))
    waiting.clear()
    resting = true
    const began = performance.now()
    await queryClient.invalidateQueries({
      // A page that nobody sees reads when it is seen again.
      refetchType: document.hidden ? 'none' : 'active',
      predicate: ({ queryKey: [name, of] }) =>
        of === business && typeof name === 'string' && nouns.has(name.split('.', 1)[0] ?? ''),
    })
    // What takes long to read is read less often.
    setTimeout(
      () => {
        resting = false
        if (waiting.size > 0) void run()
      },
      Math.max(restMs, 3 * (performance.now() - began)),
    )
  }
  return (topics) => {
    for (const topic of topics) waiting.add(topic)
    if (waiting.size > 0 && !resting) void run()
  }
}
