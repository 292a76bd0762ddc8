/**
 * What each of the thirty jobs of an owner costs an assistant that has the usual list of tools: the calls
 * it makes, in order, and the bytes of what it writes and reads in them. The tests of the jobs hold these
 * figures, and the page of third-party clients is made of them.
 */
export interface JobCost {
  number: number
  words: string
  calls: readonly string[]
  bytes: number
}

/** What is not one of the thirty, and stands on the page with its calls alone. */
export const furtherJobs: readonly JobCost[] = [
  {
    number: 31,
    words: 'A list as CSV: checked, with a column named, put in, and taken back',
    calls: [
      'meta.find',
      'import.create',
      'import.get',
      'import.confirm',
      'import.get',
      'meta.find',
      'import.undo',
      'import.get',
    ],
    bytes: 20_226,
  },
]

export const jobCosts: readonly JobCost[] = [
  {
    number: 1,
    words: 'People from the market stall, with a broken and a double address',
    calls: ['contact.import'],
    bytes: 949,
  },
  {
    number: 2,
    words: 'A group: Basel, clicked since summer, not bought',
    calls: ['segment.save'],
    bytes: 686,
  },
  {
    number: 3,
    words: 'Send the December letter to all but the wholesalers',
    calls: ['campaign.list', 'campaign.save', 'campaign.preview', 'campaign.deploy'],
    bytes: 4629,
  },
  {
    number: 4,
    words: 'Stop the campaign that is going out',
    calls: ['campaign.list', 'campaign.pause'],
    bytes: 885,
  },
  {
    number: 5,
    words: 'Send the corrected mail to those who had nothing',
    calls: [
      'campaign.list',
      'meta.find',
      'campaign.copy',
      'campaign.save',
      'campaign.preview',
      'campaign.deploy',
    ],
    bytes: 10_985,
  },
  {
    number: 6,
    words: 'Why did Mrs Keller-Amstad get nothing?',
    calls: ['contact.list', 'campaign.list', 'campaign.why'],
    bytes: 1072,
  },
  {
    number: 7,
    words: 'Will Bruno, who unsubscribed, get his receipt?',
    calls: ['contact.list', 'contact.get'],
    bytes: 1153,
  },
  {
    number: 8,
    words: 'Erase everything about Mr Hollis',
    calls: ['contact.list', 'meta.find', 'contact.erase'],
    bytes: 7710,
  },
  {
    number: 9,
    words: 'Undo the tag on the whole list',
    calls: ['contact.tag', 'contact.tag'],
    bytes: 365,
  },
  {
    number: 10,
    words: 'The customers from Graz as CSV in the answer',
    calls: ['meta.find', 'export.create'],
    bytes: 6362,
  },
  {
    number: 11,
    words: 'How the list grew, by month and source',
    calls: ['meta.find', 'report.growth', 'report.audience'],
    bytes: 9392,
  },
  {
    number: 12,
    words: 'What did you do today?',
    calls: ['meta.find', 'meta.activity'],
    bytes: 5732,
  },
  {
    number: 13,
    words: 'Send from an own domain',
    calls: ['domain.add', 'domain.status'],
    bytes: 6201,
  },
  {
    number: 14,
    words: 'A welcome series of three emails',
    calls: ['meta.find', 'sequence.save'],
    bytes: 15_749,
  },
  {
    number: 15,
    words: 'Birthday cards, not at night',
    calls: ['meta.find', 'sequence.save', 'contact.fields'],
    bytes: 17_752,
  },
  {
    number: 16,
    words: 'Win back silent people, then unsubscribe them',
    calls: ['segment.save', 'meta.find', 'sequence.save'],
    bytes: 16_345,
  },
  {
    number: 17,
    words: "Yesterday's email again to who did not open it",
    calls: [
      'campaign.list',
      'meta.find',
      'campaign.copy',
      'campaign.save',
      'campaign.preview',
      'campaign.deploy',
    ],
    bytes: 11_337,
  },
  {
    number: 18,
    words: 'The campaign in German too',
    calls: ['campaign.list', 'campaign.get', 'campaign.save'],
    bytes: 2081,
  },
  {
    number: 19,
    words: 'Zurich and Geneva get their own date',
    calls: ['campaign.generate', 'campaign.preview', 'campaign.generate', 'campaign.preview'],
    bytes: 7214,
  },
  {
    number: 20,
    words: 'Take back, correct, and plan for the same time',
    calls: [
      'campaign.list',
      'meta.find',
      'campaign.unschedule',
      'campaign.save',
      'campaign.preview',
      'campaign.deploy',
    ],
    bytes: 10_108,
  },
  {
    number: 21,
    words: 'More contacts than the plan allows',
    calls: ['meta.usage', 'contact.import'],
    bytes: 20203,
  },
  {
    number: 22,
    words: 'Subscribe Marta again, who had complained',
    calls: ['contact.upsert'],
    bytes: 462,
  },
  {
    number: 23,
    words: 'The phone of one of two people of the same name',
    calls: ['contact.list', 'contact.upsert'],
    bytes: 478,
  },
  {
    number: 24,
    words: 'Text the course, and who has no number',
    calls: ['campaign.generate', 'campaign.preview', 'campaign.why'],
    bytes: 3297,
  },
  {
    number: 25,
    words: 'Why mails go to spam',
    calls: ['domain.status', 'message.list', 'meta.find', 'contact.check'],
    bytes: 4933,
  },
  {
    number: 26,
    words: 'Send events of the shop to an address, with a test',
    calls: ['meta.find', 'webhook.save', 'meta.find', 'webhook.test'],
    bytes: 20_089,
  },
  {
    number: 27,
    words: "Merge Tom's two entries",
    calls: ['contact.list', 'meta.find', 'contact.merge'],
    bytes: 7828,
  },
  {
    number: 28,
    words: 'A form for the summer camp, tried out',
    calls: ['form.save', 'form.submit', 'meta.find', 'contact.erase'],
    bytes: 9369,
  },
  {
    number: 29,
    words: 'Which email made the most money',
    calls: ['campaign.list', 'meta.find', 'report.compare'],
    bytes: 7863,
  },
  {
    number: 30,
    words: 'What the nephew did, and how his access ends',
    calls: ['meta.find', 'meta.activity', 'meta.find'],
    bytes: 13_555,
  },
]

/** Of thirty jobs: the mean of the two in the middle. */
export function mediansOfJobs(): { calls: number; bytes: number } {
  const median = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    const middle = sorted.slice(sorted.length / 2 - 1, sorted.length / 2 + 1)
    return middle.reduce((sum, value) => sum + value, 0) / middle.length
  }
  return {
    calls: median(jobCosts.map(({ calls }) => calls.length)),
    bytes: median(jobCosts.map(({ bytes }) => bytes)),
  }
}
