export const abTests = {
  title: 'A/B test',
  about:
    'Each subject goes to a share of the recipients. Everyone else waits and gets the one that performs best.',
  aboutSms:
    'Each text goes to a share of the recipients. Everyone else waits and gets the one that performs best.',
  start: 'Test another subject',
  startSms: 'Test another text',
  another: 'Add another',
  subject: (letter: string) => `Subject ${letter}`,
  text: (letter: string) => `Text ${letter}`,
  drop: (letter: string) => `Remove ${letter}`,
  sample: 'Share of recipients, in percent',
  by: 'Winning metric',
  byWays: { clicks: 'Clicks by people', opens: 'Opens by people' },
  hours: 'Pick the winner after, in hours',
  usual: 'Usual rate, in percent',
  usualHint: 'The open or click rate you usually see. Only used for the estimate below.',
  needs: (people: string, usual: string, better: string) =>
    `To tell ${usual} from ${better} with statistical significance, each variant needs ${people} people.`,
  has: (people: string) => `Each variant gets ${people}.`,
  enough: 'That is enough.',
  tooFew:
    'That is too few: probably no variant will win with significance, and the remaining recipients get the one that leads.',
  save: 'Save the test',
  end: 'End the test',
  saved: 'Test saved',
  ended: 'Test ended',
  unsaved: 'Unsaved changes.',
  variant: 'Variant',
  sent: 'Sent',
  acted: { clicks: 'Clicked', opens: 'Opened' },
  between: (low: string, high: string) => `between ${low} and ${high}`,
  points: (low: string, high: string) => `${low} to ${high} percentage points`,
  won: (letter: string) => `Variant ${letter} won.`,
  chosen: (letter: string) => `Variant ${letter} was chosen manually.`,
  tooEarly: (people: string) =>
    `Too early to name a leader: each variant needs ${people} messages sent.`,
  leadIsReal: (letter: string, lead: string) =>
    `Variant ${letter} leads with statistical significance, by ${lead} (95% confidence).`,
  leadIsChance: (letter: string, lead: string) =>
    `No variant leads with statistical significance. ${letter} is ahead by ${lead} (95% confidence), a range that includes no difference at all.`,
  othersGot: (letter: string) => `The remaining recipients get variant ${letter}.`,
  decidesIn: (time: string) => `The winner is picked ${time}.`,
  choose: (letter: string) => `Send ${letter} to the rest`,
  chooseTitle: (letter: string) => `Send variant ${letter} to the rest now?`,
  chooseText: 'The test ends, and everyone still waiting gets this variant.',
}
