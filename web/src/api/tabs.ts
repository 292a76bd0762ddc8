/** Tabs of one browser notify each other of changes, so that the second shows the first one's. */
const channel = new BroadcastChannel('crier-changes')

export function announceChange(): void {
  channel.postMessage('changed')
}

export function onChangeElsewhere(listen: () => void): void {
  channel.addEventListener('message', listen)
}
