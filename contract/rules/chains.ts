/** Kinds of address formats. */
export const addressKinds = ['bitcoin', 'evm', 'tron', 'xrp', 'solana', 'dogecoin'] as const
export type AddressKind = (typeof addressKinds)[number]

/** A token's own contract, or its mint on Solana. `network` is the chain id of EIP-155; elsewhere it is empty. */
interface Token {
  code: string
  kind: AddressKind
  network: string
  contract: string
}

const evm = (network: string, rows: Record<string, string>): Token[] =>
  Object.entries(rows).map(([code, contract]) => ({ code, kind: 'evm', network, contract }))
const on = (kind: 'tron' | 'solana', rows: Record<string, string>): Token[] =>
  Object.entries(rows).map(([code, contract]) => ({ code, kind, network: '', contract }))

/** Contracts that customers take for their own address, as their issuers publish them. Coins that are sent to one are lost. */
export const tokens: readonly Token[] = [
  ...evm('1', {
    USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    DAI: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    WETH: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    WBTC: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
  }),
  ...evm('56', {
    USDT: '0x55d398326f99059fF775485246999027B3197955',
    USDC: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
    BUSD: '0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56',
    WBNB: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
  }),
  ...on('tron', { USDT: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', USDC: 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8' }),
  ...on('solana', {
    USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    WSOL: 'So11111111111111111111111111111111111111112',
  }),
]

/** Chain ids of EIP-155 by the names of our chains. */
export const networks: Readonly<Record<string, string>> = {
  ERC20: '1',
  BEP20: '56',
  POLYGON: '137',
  ARBITRUM: '42161',
  OPTIMISM: '10',
  BASE: '8453',
}
