export const stops = {
  title: 'Stop sending',
  about:
    'Pauses every campaign and automation of this business within seconds. Nothing is lost, and you can resume at any time.',
  stopAll: 'Stop all sending',
  withMessages: 'Also receipts and other messages that assistants and API keys send',
  withConnections: 'Also stop all assistants',
  stopped: (when: string) => `All sending is stopped since ${when}.`,
  stoppedWithMessages: (when: string) =>
    `All sending, messages of assistants and API keys included, is stopped since ${when}.`,
  resumeAll: 'Resume sending',
  waitsForAdmin: 'An admin or owner resumes it.',
  toldStopped: (campaigns: number, automations: number) =>
    `Sending stopped: ${campaigns} ${campaigns === 1 ? 'campaign' : 'campaigns'} and ${automations} ${automations === 1 ? 'automation' : 'automations'} paused`,
  toldResumed: 'Sending resumed',
  assistants: 'Assistants in this business',
  yours: 'yours',
  stop: 'Stop',
  stopNamed: (name: string) => `Stop ${name}`,
  resume: 'Resume',
  resumeNamed: (name: string) => `Resume ${name}`,
  isStopped: 'Stopped',
  toldAssistantStopped: (name: string) =>
    `${name} is stopped. Its messages wait, and its campaigns are paused.`,
  toldAssistantResumed: (name: string) => `${name} may act again`,
}
