export const gallery = {
  about:
    'Shown with your brand. Placeholders for your details are marked: fill them in or delete their blocks before you send.',
  aboutTexts:
    'Each message fits into one SMS once your details are filled in. Placeholders are marked.',
  business: 'Your business',
  groups: 'Purposes',
  all: 'All',
  news: 'News',
  offers: 'Offers',
  events: 'Events',
  relations: 'Relationship',
  orders: 'Orders and appointments',
}
