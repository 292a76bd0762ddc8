export const home = {
  ready: (business: string) => `Get ${business} ready`,
  progress: (done: number, of: number) => `${done} of ${of} required steps done`,
  steps: {
    postal_address: {
      name: 'Add your postal address',
      about: 'Marketing email must show the postal address of its sender.',
      action: 'Add address',
    },
    sender_domain: {
      name: 'Send from your own domain',
      about: 'You can send once its DNS records are found. You can do this later.',
      notNeeded:
        'Not needed here: this installation keeps email in its test inbox, or sends it without a domain of your own.',
      action: 'Set up a domain',
    },
    contacts: {
      name: 'Add contacts',
      about: 'Import a CSV file, add people one by one, or collect them with a form on your site.',
      action: 'Import file',
    },
    test: {
      name: 'Send yourself a test email',
      about: 'A short email to your own address shows that everything works.',
      action: 'Send a test',
      sent: (email: string) => `A test is on its way to ${email}`,
      subject: 'A test from Crier',
      text: 'This is a test. If you can read it, your email works.',
      failed: 'The test was not sent',
      inbox: 'Open the test inbox',
    },
  },
  assistant: {
    title: 'Connect an assistant',
    about:
      'Give this address to any assistant that supports MCP. It sends you here to approve access.',
    copy: 'Copy address',
  },
  waits: {
    title: 'Needs your attention',
    nothing: 'Nothing needs your attention.',
    approval: (name: string) => `“${name}” is awaiting approval`,
    automation: (name: string) => `The automation “${name}” is awaiting approval`,
    automationPaused: (name: string) =>
      `The automation “${name}” is paused: more people entered than were approved`,
    refused: (name: string) => `“${name}” was refused`,
    decide: 'Review',
    proposals: (count: string) =>
      count === '1'
        ? '1 proposed email awaits approval'
        : `${count} proposed emails await approval`,
    replies: (count: string) =>
      count === '1' ? '1 reply to review' : `${count} replies to review`,
    domain: (domain: string) => `${domain} has missing or wrong DNS records`,
    webhook: (url: string) => `Deliveries to ${url} are failing`,
    open: 'Open',
  },
  growth: 'Email subscribers, last 30 days',
  going: {
    title: 'Active campaigns',
    nothing: 'No active campaigns.',
    all: 'All campaigns',
  },
  numbers: {
    title: 'This month',
    contacts: 'Contacts',
    emails: 'Emails',
    sms: 'Text messages',
    calls: 'API calls',
    of: (limit: string) => `of ${limit}`,
    perDay: (total: string) => `Emails per day this month, ${total} in total`,
  },
}
