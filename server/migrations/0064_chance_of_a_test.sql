-- What an A/B test was decided on: how many people each variant reached and moved, and whether one of
-- them is better by more than chance. Without that, the others get the leading variant and none has won.
alter table campaign_tests
  add column is_beyond_chance boolean,
  add column evidence jsonb;
-- Tests that were decided earlier keep the winner that they had.
update campaign_tests set is_beyond_chance = true where winner is not null;
