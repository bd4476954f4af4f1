package bourse

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"text/template"

	"github.com/prebid/openrtb/v20/openrtb2"

	"github.com/prebid/prebid-server/v3/adapters"
	"github.com/prebid/prebid-server/v3/config"
	"github.com/prebid/prebid-server/v3/errortypes"
	"github.com/prebid/prebid-server/v3/macros"
	"github.com/prebid/prebid-server/v3/openrtb_ext"
	"github.com/prebid/prebid-server/v3/util/jsonutil"
)

type adapter struct {
	endpoint *template.Template
}

// Builder builds a new instance of the Bourse adapter for the given bidder with the given config.
func Builder(bidderName openrtb_ext.BidderName, config config.Adapter, server config.Server) (adapters.Bidder, error) {
	endpoint, err := template.New("endpoint").Parse(config.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("unable to parse endpoint template: %w", err)
	}
	return &adapter{endpoint: endpoint}, nil
}

// MakeRequests sends one request for each supply object that impressions name.
func (a *adapter) MakeRequests(request *openrtb2.BidRequest, requestInfo *adapters.ExtraRequestInfo) ([]*adapters.RequestData, []error) {
	var errs []error
	var uris []string
	impsByURI := make(map[string][]openrtb2.Imp)
	for _, imp := range request.Imp {
		uri, err := a.prepare(&imp)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if _, isKnown := impsByURI[uri]; !isKnown {
			uris = append(uris, uri)
		}
		impsByURI[uri] = append(impsByURI[uri], imp)
	}

	headers := http.Header{}
	headers.Set("Content-Type", "application/json;charset=utf-8")
	headers.Set("Accept", "application/json")
	requests := make([]*adapters.RequestData, 0, len(uris))
	for _, uri := range uris {
		outgoing := *request
		outgoing.Imp = impsByURI[uri]
		outgoing.Ext = nil
		body, err := jsonutil.Marshal(&outgoing)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		requests = append(requests, &adapters.RequestData{
			Method:  http.MethodPost,
			Uri:     uri,
			Body:    body,
			Headers: headers,
			ImpIDs:  openrtb_ext.GetImpIDs(outgoing.Imp),
		})
	}
	return requests, errs
}

// prepare answers where an impression is to be sent, and removes what is for prebid-server alone.
func (a *adapter) prepare(imp *openrtb2.Imp) (string, error) {
	var ext map[string]json.RawMessage
	if err := jsonutil.Unmarshal(imp.Ext, &ext); err != nil {
		return "", badInput(imp, "ext is not an object: "+err.Error())
	}
	var params openrtb_ext.ImpExtBourse
	if err := jsonutil.Unmarshal(ext["bidder"], &params); err != nil {
		return "", badInput(imp, "ext.bidder is not valid: "+err.Error())
	}
	endpoint, err := url.Parse(params.Endpoint)
	if err != nil {
		return "", badInput(imp, "ext.bidder.endpoint is not a URL")
	}
	uri, err := macros.ResolveMacros(a.endpoint, macros.EndpointTemplateParams{
		Host:      endpoint.Host,
		ZoneID:    strconv.Itoa(int(params.Zone)),
		AccountID: url.QueryEscape(params.Auth),
	})
	if err != nil {
		return "", err
	}
	if resolved, err := url.Parse(uri); err != nil || resolved.Host == "" {
		return "", badInput(imp, "ext.bidder.endpoint is required, unless the bidder's endpoint names a host")
	}
	delete(ext, "bidder")
	delete(ext, "prebid")
	imp.Ext = nil
	if len(ext) > 0 {
		imp.Ext, err = jsonutil.Marshal(ext)
	}
	return uri, err
}

// MakeBids reads the response.
func (a *adapter) MakeBids(request *openrtb2.BidRequest, requestData *adapters.RequestData, responseData *adapters.ResponseData) (*adapters.BidderResponse, []error) {
	if adapters.IsResponseStatusCodeNoContent(responseData) {
		return nil, nil
	}
	if err := adapters.CheckResponseStatusCodeForErrors(responseData); err != nil {
		return nil, []error{err}
	}
	var response openrtb2.BidResponse
	if err := jsonutil.Unmarshal(responseData.Body, &response); err != nil {
		return nil, []error{err}
	}

	bidResponse := adapters.NewBidderResponseWithBidsCapacity(len(request.Imp))
	if response.Cur != "" {
		bidResponse.Currency = response.Cur
	}
	var errs []error
	for _, seatBid := range response.SeatBid {
		for i := range seatBid.Bid {
			bid := &seatBid.Bid[i]
			bidType, err := bidTypeOf(bid)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			bidResponse.Bids = append(bidResponse.Bids, &adapters.TypedBid{Bid: bid, BidType: bidType})
		}
	}
	return bidResponse, errs
}

func bidTypeOf(bid *openrtb2.Bid) (openrtb_ext.BidType, error) {
	switch bid.MType {
	case openrtb2.MarkupBanner:
		return openrtb_ext.BidTypeBanner, nil
	case openrtb2.MarkupVideo:
		return openrtb_ext.BidTypeVideo, nil
	case openrtb2.MarkupAudio:
		return openrtb_ext.BidTypeAudio, nil
	case openrtb2.MarkupNative:
		return openrtb_ext.BidTypeNative, nil
	}
	return "", &errortypes.BadServerResponse{
		Message: fmt.Sprintf("bid %s for impression %s has the unknown mtype %d", bid.ID, bid.ImpID, bid.MType),
	}
}

func badInput(imp *openrtb2.Imp, message string) error {
	return &errortypes.BadInput{Message: fmt.Sprintf("imp %s: %s", imp.ID, message)}
}
