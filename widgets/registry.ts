import { accordion } from '#widgets/accordion/accordion.widget.ts'
import { areaField } from '#widgets/area-field/area-field.widget.ts'
import { avatar } from '#widgets/avatar/avatar.widget.ts'
import { badge } from '#widgets/badge/badge.widget.ts'
import { balanceCard } from '#widgets/balance-card/balance-card.widget.ts'
import { button } from '#widgets/button/button.widget.ts'
import { callout } from '#widgets/callout/callout.widget.ts'
import { candleChart } from '#widgets/candle-chart/candle-chart.widget.ts'
import { card } from '#widgets/card/card.widget.ts'
import { carousel } from '#widgets/carousel/carousel.widget.ts'
import { checkField } from '#widgets/check-field/check-field.widget.ts'
import { chips } from '#widgets/chips/chips.widget.ts'
import { choices } from '#widgets/choices/choices.widget.ts'
import { codeField } from '#widgets/code-field/code-field.widget.ts'
import { copyBox } from '#widgets/copy-box/copy-box.widget.ts'
import { countdown } from '#widgets/countdown/countdown.widget.ts'
import { dateField } from '#widgets/date-field/date-field.widget.ts'
import { dateRange } from '#widgets/date-range/date-range.widget.ts'
import { dealCard } from '#widgets/deal-card/deal-card.widget.ts'
import { decimalField } from '#widgets/decimal-field/decimal-field.widget.ts'
import { depthChart } from '#widgets/depth-chart/depth-chart.widget.ts'
import { difference } from '#widgets/difference/difference.widget.ts'
import { durationField } from '#widgets/duration-field/duration-field.widget.ts'
import { empty } from '#widgets/empty/empty.widget.ts'
import { error } from '#widgets/error/error.widget.ts'
import { feedNotice } from '#widgets/feed-notice/feed-notice.widget.ts'
import { form } from '#widgets/form/form.widget.ts'
import { grid } from '#widgets/grid/grid.widget.ts'
import { image } from '#widgets/image/image.widget.ts'
import { imageField } from '#widgets/image-field/image-field.widget.ts'
import { integerField } from '#widgets/integer-field/integer-field.widget.ts'
import { keyButton } from '#widgets/key-button/key-button.widget.ts'
import { keyValue } from '#widgets/key-value/key-value.widget.ts'
import { lineChart } from '#widgets/line-chart/line-chart.widget.ts'
import { list } from '#widgets/list/list.widget.ts'
import { listField } from '#widgets/list-field/list-field.widget.ts'
import { messageList } from '#widgets/message-list/message-list.widget.ts'
import { meterBar } from '#widgets/meter-bar/meter-bar.widget.ts'
import { moneyRow } from '#widgets/money-row/money-row.widget.ts'
import { monthBars } from '#widgets/month-bars/month-bars.widget.ts'
import { navBar } from '#widgets/nav-bar/nav-bar.widget.ts'
import { noticeBar } from '#widgets/notice-bar/notice-bar.widget.ts'
import { optionOrder } from '#widgets/option-order/option-order.widget.ts'
import { orderBook } from '#widgets/order-book/order-book.widget.ts'
import { page } from '#widgets/page/page.widget.ts'
import { passwordField } from '#widgets/password-field/password-field.widget.ts'
import { pictureViewer } from '#widgets/picture-viewer/picture-viewer.widget.ts'
import { positionCard } from '#widgets/position-card/position-card.widget.ts'
import { price } from '#widgets/price/price.widget.ts'
import { priceCheck } from '#widgets/price-check/price-check.widget.ts'
import { priceField } from '#widgets/price-field/price-field.widget.ts'
import { profitCalendar } from '#widgets/profit-calendar/profit-calendar.widget.ts'
import { qrCode } from '#widgets/qr-code/qr-code.widget.ts'
import { quickEntries } from '#widgets/quick-entries/quick-entries.widget.ts'
import { quoteHeader } from '#widgets/quote-header/quote-header.widget.ts'
import { quoteList } from '#widgets/quote-list/quote-list.widget.ts'
import { quoteRing } from '#widgets/quote-ring/quote-ring.widget.ts'
import { recordTable } from '#widgets/record-table/record-table.widget.ts'
import { recoveryCodes } from '#widgets/recovery-codes/recovery-codes.widget.ts'
import { richText } from '#widgets/rich-text/rich-text.widget.ts'
import { row } from '#widgets/row/row.widget.ts'
import { rowsField } from '#widgets/rows-field/rows-field.widget.ts'
import { scanField } from '#widgets/scan-field/scan-field.widget.ts'
import { search } from '#widgets/search/search.widget.ts'
import { section } from '#widgets/section/section.widget.ts'
import { segmented } from '#widgets/segmented/segmented.widget.ts'
import { segmentedField } from '#widgets/segmented-field/segmented-field.widget.ts'
import { selectField } from '#widgets/select-field/select-field.widget.ts'
import { sessionRow } from '#widgets/session-row/session-row.widget.ts'
import { shareCard } from '#widgets/share-card/share-card.widget.ts'
import { shareChart } from '#widgets/share-chart/share-chart.widget.ts'
import { sheet } from '#widgets/sheet/sheet.widget.ts'
import { skeleton } from '#widgets/skeleton/skeleton.widget.ts'
import { sliderField } from '#widgets/slider-field/slider-field.widget.ts'
import { sparkline } from '#widgets/sparkline/sparkline.widget.ts'
import { split } from '#widgets/split/split.widget.ts'
import { statGrid } from '#widgets/stat-grid/stat-grid.widget.ts'
import { steps } from '#widgets/steps/steps.widget.ts'
import { swapField } from '#widgets/swap-field/swap-field.widget.ts'
import { switchWidget } from '#widgets/switch/switch.widget.ts'
import { switchField } from '#widgets/switch-field/switch-field.widget.ts'
import { tabBar } from '#widgets/tab-bar/tab-bar.widget.ts'
import { tabs } from '#widgets/tabs/tabs.widget.ts'
import { text } from '#widgets/text/text.widget.ts'
import { textAreaField } from '#widgets/text-area-field/text-area-field.widget.ts'
import { textField } from '#widgets/text-field/text-field.widget.ts'
import { tradeTape } from '#widgets/trade-tape/trade-tape.widget.ts'
import { webView } from '#widgets/web-view/web-view.widget.ts'
import { worthTabs } from '#widgets/worth-tabs/worth-tabs.widget.ts'

/** All widgets of this build. A duplicate type prevents the start. */
export const widgets = [
  accordion,
  areaField,
  avatar,
  badge,
  balanceCard,
  button,
  callout,
  candleChart,
  card,
  carousel,
  checkField,
  chips,
  choices,
  codeField,
  copyBox,
  countdown,
  dateField,
  dateRange,
  dealCard,
  decimalField,
  depthChart,
  difference,
  durationField,
  empty,
  error,
  feedNotice,
  form,
  grid,
  imageField,
  image,
  integerField,
  keyButton,
  keyValue,
  lineChart,
  listField,
  list,
  messageList,
  meterBar,
  moneyRow,
  monthBars,
  navBar,
  noticeBar,
  optionOrder,
  orderBook,
  page,
  passwordField,
  pictureViewer,
  positionCard,
  price,
  priceCheck,
  priceField,
  profitCalendar,
  qrCode,
  quickEntries,
  quoteHeader,
  quoteList,
  quoteRing,
  recordTable,
  recoveryCodes,
  richText,
  row,
  rowsField,
  scanField,
  search,
  section,
  segmentedField,
  segmented,
  selectField,
  sessionRow,
  shareCard,
  shareChart,
  sheet,
  skeleton,
  sliderField,
  sparkline,
  split,
  statGrid,
  steps,
  swapField,
  switchField,
  switchWidget,
  tabBar,
  tabs,
  textAreaField,
  textField,
  text,
  tradeTape,
  webView,
  worthTabs,
] as const
