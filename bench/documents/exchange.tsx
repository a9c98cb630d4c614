import { useForm } from 'react-hook-form'
import { AmountField, Form, SelectField } from '#bench/documents/fields.tsx'
import {
  type Call,
  useCall,
  useConfirm,
  useDraft,
  useFormat,
  useParams,
  useRules,
  useSubmit,
  useText,
  useToast,
} from '#bench/documents/hooks.ts'
import { ErrorCard, Facts, LinkButton, Loaded, Page, QuoteRing } from '#bench/documents/kit.tsx'
import type { CallOutput } from '#contract/contract.ts'
import { walletExchangeReceived } from '#contract/functions/wallet.exchangeReceived.function.ts'
import { walletReadableRate } from '#contract/functions/wallet.readableRate.function.ts'
import { parseAmount } from '#contract/money.ts'

type Coins = CallOutput<'wallet.getSymbolList'>['list']

export function Exchange() {
  const t = useText()
  const symbols = useCall('wallet.getSymbolList', {}, { keepMs: 3_000, live: 'balance' })
  return (
    <Page
      screen="fund.exchange"
      title={t('assets.exchange_title')}
      actions={
        <LinkButton
          id="to-bill"
          label={t('bill.title')}
          icon="receipt-text"
          tone="quiet"
          hideLabel
          to="pages/setting/bill"
          params={{ kind: 'exchange' }}
        />
      }
    >
      <Loaded of={symbols}>{({ list }) => <ExchangeForm coins={list} symbols={symbols} />}</Loaded>
    </Page>
  )
}

function ExchangeForm({ coins, symbols }: { coins: Coins; symbols: Call<unknown> }) {
  const t = useText()
  const format = useFormat()
  const rules = useRules()
  const confirm = useConfirm()
  const toast = useToast()
  const params = useParams()
  const usdt = String(coins.find((coin) => coin.currency_code === 'USDT')?.currency_id ?? '')
  const first = String(coins[0]?.currency_id ?? '')
  const defaultValues = { from: params.currency_id ?? usdt, to: first === params.currency_id ? usdt : first, amount: '' }
  const form = useForm({ defaultValues, mode: 'onTouched' })
  useDraft('fund.exchange', form, ['from', 'to', 'amount'])
  const [from, to, amount] = form.watch(['from', 'to', 'amount'])
  const quoteCall = useCall(
    'wallet.getExchangeRate',
    from !== '' && to !== '' && from !== to && { from_currency_id: from, to_currency_id: to },
    { debounceMs: 150 },
  )
  const quote = quoteCall.data
  const isQuoted = quote !== undefined && String(quote.from_currency_id) === from && String(quote.to_currency_id) === to
  const coin = coins.find(({ currency_id }) => String(currency_id) === from)
  const options = coins.filter((one) => one.exchange).map((one) => ({ id: one.currency_id, label: one.currency_code }))
  const received =
    quote && parseAmount(amount) ? walletExchangeReceived.run({ amount, rate: quote.net_rate, scale: quote.to_scale }) : undefined
  const isTurned = quote !== undefined && Number(quote.net_rate) < 1
  const rate =
    quote &&
    t('assets.rate_of', {
      from: isTurned ? quote.to_code : quote.from_code,
      to: isTurned ? quote.from_code : quote.to_code,
      rate: format.rate(walletReadableRate.run({ rate: quote.net_rate })),
    })

  const { submit, isBusy } = useSubmit(
    form,
    {
      quote_expired: { refresh: [quoteCall], retry: true },
      quote_unknown: { refresh: [quoteCall], retry: true },
      insufficient_balance: { field: 'amount', refresh: [symbols] },
      amount_wrong: { field: 'amount' },
      amount_too_small: { field: 'amount' },
      currencies_same: { field: 'to' },
      currency_closed: { toast: true, refresh: [symbols] },
    },
    async (entries, send) => {
      if (!quote || !received || !rate) return false
      const agreed = await confirm({
        title: t('assets.prompt_exchange'),
        text: t('assets.prompt_exchange_text'),
        rows: [
          [t('assets.pay'), t('assets.sum', { amount: entries.amount, coin: quote.from_code })],
          [t('assets.receive'), t('assets.sum', { amount: received, coin: quote.to_code })],
          [t('assets.rate'), rate],
          [t('assets.spread'), format.percent(quote.spread)],
        ],
        ok: t('assets.prompt_exchange_ok'),
      })
      if (!agreed) return false
      const done = await send('wallet.exchange', {
        amount: entries.amount,
        from_currency_id: entries.from,
        to_currency_id: entries.to,
        quote_id: quote.quote_id,
      })
      form.resetField('amount')
      symbols.refresh()
      quoteCall.refresh()
      toast(t('assets.exchanged', { amount: done.received, coin: done.to_code }), 'success')
    },
  )

  return (
    <Form
      id="form"
      form={form}
      submit={submit}
      isBusy={isBusy}
      label={t('assets.exchange_submit')}
      enabled={isQuoted}
      foot={
        <>
          {quoteCall.error ? (
            <ErrorCard id="ring-error" title={t('assets.rate_failed')} text={t('assets.rate_failed_text')} onRetry={quoteCall.refresh} />
          ) : (
            <Loaded of={quoteCall}>
              {({ quote_id }) => (
                <QuoteRing id="ring" label={t('assets.rate')} text={rate ?? ''} of={quote_id} ms={10_000} onDone={quoteCall.refresh} />
              )}
            </Loaded>
          )}
          {quote && isQuoted && (
            <Facts
              id="facts"
              rows={[
                {
                  label: t('assets.get_amount'),
                  value: t('assets.sum', { amount: received ? format.amount(received) : '–', coin: quote.to_code }),
                  strong: true,
                },
                { label: t('assets.spread'), value: format.percent(quote.spread) },
              ]}
            />
          )}
          <small>{t('assets.exchange_note')}</small>
        </>
      }
    >
      <SelectField name="from" label={t('assets.pay')} options={options} />
      <SelectField
        name="to"
        label={t('assets.receive')}
        options={options}
        rules={[(value) => value !== from || t('assets.coins_same')]}
        onSwap={() => form.reset({ from: to, to: from, amount: '' })}
      />
      <AmountField
        name="amount"
        label={t('assets.pay_amount')}
        hint={coin && t('assets.available_of', { amount: format.amount(coin.available), coin: coin.currency_code })}
        rules={[rules.amount, rules.atLeast(quote?.min ?? '0', quote?.from_code ?? ''), rules.within(coin?.available ?? '0')]}
        scale={coin?.scale ?? 0}
        unit={coin?.currency_code ?? ''}
        max={coin?.available ?? '0'}
        placeholder="0.00"
      />
    </Form>
  )
}
