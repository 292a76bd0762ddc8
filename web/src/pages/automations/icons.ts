const icons = {
  send: 'message',
  sms: 'phone',
  wait: 'clock',
  wait_for: 'clock',
  split: 'segment',
  tag: 'tag',
  set: 'pen',
  stop_if: 'close',
  notify: 'info',
  unsubscribe: 'close',
} as const

export const iconOf = (kind: string) => icons[kind as keyof typeof icons] ?? 'circle'
