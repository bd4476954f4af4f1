package bourse

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/prebid/prebid-server/v3/adapters/adapterstest"
	"github.com/prebid/prebid-server/v3/config"
	"github.com/prebid/prebid-server/v3/openrtb_ext"
)

func TestJsonSamples(t *testing.T) {
	bidder, err := Builder(
		openrtb_ext.BidderBourse,
		config.Adapter{Endpoint: "https://{{.Host}}/rtb?zone={{.ZoneID}}&auth={{.AccountID}}"},
		config.Server{},
	)
	assert.NoError(t, err)
	adapterstest.RunJSONBidderTest(t, "boursetest", bidder)
}

func TestEndpointTemplateMalformed(t *testing.T) {
	_, err := Builder(openrtb_ext.BidderBourse, config.Adapter{Endpoint: "{{Malformed}}"}, config.Server{})
	assert.Error(t, err)
}
