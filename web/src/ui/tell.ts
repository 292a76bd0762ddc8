/** Short messages to the person. `toasts.tsx` shows them, with an undo button where possible. */
export interface Message {
  title: string
  description?: string
  bad?: boolean
  undo?: () => void
  /** The id of what it is about: a newer word about the same thing takes the place of the older one. */
  about?: string
}

type Listener = (message: Message) => void

/** Messages from before there was a listener. */
const waiting: Message[] = []
let listener: Listener | undefined

export function listenToMessages(listen: Listener): () => void {
  listener = listen
  for (const message of waiting.splice(0)) listen(message)
  return () => {
    listener = undefined
  }
}

function send(message: Message): void {
  if (listener) listener(message)
  else waiting.push(message)
}

export function tell(
  title: string,
  more: Pick<Message, 'description' | 'undo' | 'about'> = {},
): void {
  send({ title, ...more })
}

export function tellFailure(title: string, description: string): void {
  send({ title, description, bad: true })
}
