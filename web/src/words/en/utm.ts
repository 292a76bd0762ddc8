export const utm = {
  title: 'Links in your analytics (UTM)',
  about: 'Values that links get, so that your web analytics tell who came from a campaign.',
  fields: {
    source: 'Source',
    medium: 'Medium',
    campaign: 'Campaign',
    term: 'Term',
    content: 'Content',
  },
  sourceHint: 'Such as newsletter. Empty: links get nothing.',
  campaignHint: 'Empty: the name of the campaign.',
  ways: {
    business: 'The values of the business',
    own: 'Values of this campaign',
    none: 'None',
  },
  save: 'Save the values',
  saved: 'Links get these values',
  preview: 'A link then is',
  unset: 'The business has set none, so links stay as they are.',
}
