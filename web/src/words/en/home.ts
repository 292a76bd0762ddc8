export const home = {
  ready: (business: string) => `Get ${business} ready`,
  progress: (done: number, of: number) => `${done} of ${of} needed`,
  steps: {
    postal_address: {
      name: 'Say where you are',
      about: 'Marketing mail names the postal address of its sender.',
      action: 'Add the address',
    },
    sender_domain: {
      name: 'Send from your own domain',
      about: 'Mail goes out once its DNS records are found. You can do this later.',
      notNeeded:
        'Not needed here: mail stays in the test inbox of this installation, or goes out without a domain of yours.',
      action: 'Set up a domain',
    },
    contacts: {
      name: 'Add contacts',
      about: 'Many at once from a CSV file, one by one, or by a form on your site.',
      action: 'Import a file',
    },
    test: {
      name: 'Send yourself a test',
      about: 'A short mail to your own address shows that everything works.',
      action: 'Send a test',
      sent: (email: string) => `A test is on its way to ${email}`,
      subject: 'A test from Crier',
      text: 'This is a test. If you can read it, your mail works.',
      failed: 'The test was not sent',
      inbox: 'Open the test inbox',
    },
  },
  assistant: {
    title: 'Connect an assistant',
    about:
      'Give this address to any assistant that speaks MCP. It finds out the rest and sends you here to agree.',
    copy: 'Copy the address',
  },
  waits: {
    title: 'Waits for you',
    nothing: 'Nothing waits for you.',
    approval: (name: string) => `“${name}” waits for approval`,
    decide: 'Look and decide',
    replies: (count: string) => `${count} replies wait for a decision`,
    domain: (domain: string) => `${domain} needs its DNS records mended`,
    webhook: (url: string) => `No answer from ${url}`,
    open: 'Open',
  },
  going: {
    title: 'Campaigns under way',
    nothing: 'No campaign is under way.',
    all: 'All campaigns',
  },
  numbers: {
    title: 'This month',
    contacts: 'Contacts',
    emails: 'Emails',
    sms: 'Texts',
    calls: 'Calls',
    of: (limit: string) => `of ${limit}`,
    perDay: (total: string) => `Emails by day this month, ${total} in all`,
  },
}
